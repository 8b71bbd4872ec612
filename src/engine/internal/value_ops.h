// Operations on one value. Each returns false, with the verdict's problem set, if it failed.
#pragma once

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

bool run_set(Work& work);
bool run_merge(Work& work);
bool run_ensure(Work& work);
bool run_add(Work& work);
bool run_increment(Work& work);
bool run_get(Work& work);
bool run_test(Work& work);
bool run_callback(Work& work);

}  // namespace arbiter::engine::internal
