// Record dictionary: text that nearly every record repeats, against which records are compressed.
//
// Each format has its own dictionaries. They never change: a single byte makes all records of that
// format unreadable. New words need a new format.
#pragma once

#include <string_view>

namespace arbiter::ledger {

// `format` is 1, 2 or 3.
std::string_view replay_dictionary(int format) noexcept;
std::string_view details_dictionary(int format) noexcept;

}  // namespace arbiter::ledger
