// Shrinking: a run that fails, reduced to few steps that fail in the same oracle.
//
// Every attempt is a process of its own, so that a failed CHECK can be shrunk too.
#pragma once

#include <string>
#include <string_view>

#include "tests/sim/plan.h"

namespace arbiter::sim {

// The report on a failing plan: the oracle, the steps that are left, the last turn as a transcript,
// and the command that replays it. `what` was seen in the batch.
std::string explain_failure(const Plan& plan, std::string_view what);

// How a process ended, by its status of waitpid().
std::string describe_ending(int status);

// Ends the process when it has used much more processor time than any run needs: an endless loop,
// or work that grows too fast.
void limit_time();

}  // namespace arbiter::sim
