// Progress: how callers watch and stop a long operation.
#pragma once

#include <cstddef>
#include <functional>

namespace arbiter::ledger {

// Called with the number of turns done and in total; false stops the operation.
using Progress = std::function<bool(std::size_t done, std::size_t total)>;

}  // namespace arbiter::ledger
