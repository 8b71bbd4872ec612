// back_up(): a copy of a store that was checked.
#pragma once

#include <string>

#include "ledger/store.h"

namespace arbiter::ledger {

// Copies the store into a new file while others read and write (Store::backup), opens the copy and
// checks it. Fails with kCorrupt if the copy has problems.
base::Result<> back_up(Store& store, const std::string& file);

}  // namespace arbiter::ledger
