// Operations on members of a container. Each returns false, with the verdict's problem set, if it
// failed.
#pragma once

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

bool run_push(Work& work);
bool run_pull(Work& work);
bool run_pop(Work& work);
bool run_splice(Work& work);
bool run_insert(Work& work);

}  // namespace arbiter::engine::internal
