// run_plan(): one run of the simulator, from its seed alone.
#pragma once

#include <optional>
#include <string>

#include "tests/sim/coverage.h"
#include "tests/sim/plan.h"

namespace arbiter::sim {

struct RunResult {
    std::optional<Failure> failure;
    std::size_t steps = 0;
    std::size_t turns = 0;
    std::string fingerprint;  // of everything that was stored
    std::string transcript;   // the last turn before a failure, as a .turn file
};
RunResult run_plan(const Plan& plan, Coverage& coverage);

}  // namespace arbiter::sim
