// The settled changes of an attempt, in the form in which the conflict check knows them.
#pragma once

#include <vector>

#include "conflict/truth.h"
#include "turn/attempt.h"

namespace arbiter::turn {

// Accepted tool calls; and each difference between the two truths that these do not make, such as
// that of a rule, as the call that would make it.
std::vector<conflict::Settled> settled_changes(const Attempt& attempt,
                                               const conflict::Truth& before,
                                               const conflict::Truth& after);

}  // namespace arbiter::turn
