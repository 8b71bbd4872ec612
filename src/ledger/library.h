// Library: the document that all campaigns of a store share (settings, characters). It is stored as
// a campaign with a reserved id.
#pragma once

#include <string_view>

namespace arbiter::ledger {

inline constexpr std::string_view kLibraryId = "library";

}  // namespace arbiter::ledger
