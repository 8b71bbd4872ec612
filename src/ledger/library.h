// The library: what the campaigns of a store share (settings of all of them, characters), a
// document in the same ledger under a reserved name. It has turns, a history and an audit like any
// campaign.
#pragma once

#include "ledger/campaign.h"

namespace arbiter::ledger {

inline constexpr std::string_view kLibraryId = "library";

// Begins with an empty document when it is not there.
base::Result<Campaign> open_library(Store& store, engine::Instant now);

}  // namespace arbiter::ledger
