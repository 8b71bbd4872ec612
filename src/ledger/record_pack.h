// Record pack: both parts of a record in one compressed string of bytes. The replay part can be
// unpacked without the details part.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "ledger/record_text.h"

namespace arbiter::ledger {

std::string pack_record(const EncodedRecord& encoded);

// Input is not trusted: they fail with kCorrupt.
base::Result<EncodedRecord> unpack_record(std::string_view bytes);
base::Result<std::string> unpack_replay_part(std::string_view bytes);

}  // namespace arbiter::ledger
