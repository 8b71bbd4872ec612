// The memory store: for tests, the demo and checking archives. Its contents end with it.
#pragma once

#include <memory>

#include "ledger/store.h"

namespace arbiter::ledger {

std::unique_ptr<Store> make_memory_store();

}  // namespace arbiter::ledger
