// Guards: the conditions of an instruction before its operation, and its expectation after it.
#pragma once

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

// Each returns false, with the verdict's problem set, if the instruction must not stand.

// ifMissing, ifExists, ifEquals, ifVersion.
bool check_guards(Work& work);
// The stated old value, as Policy::old_check demands.
bool check_old(Work& work);
// A reason and an existing parent, where the policy requires them.
bool check_requirements(Work& work);
// The option expect, on the document after the operation.
bool check_expect(Work& work);

}  // namespace arbiter::engine::internal
