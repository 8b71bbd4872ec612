// Operations on a whole node. Each returns false, with the verdict's problem set, if it failed.
#pragma once

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

bool run_delete(Work& work);
bool run_move(Work& work);
bool run_copy(Work& work);

}  // namespace arbiter::engine::internal
