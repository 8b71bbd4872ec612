// Downgrade: the same changes in the words of tavern_commands 1.0, which knows set, add, push, pull
// and delete, and no options.
//
// A consumer of 1.0 cannot merge, guard, deduplicate or choose by conditions, so the state decides
// here and now: an update becomes a set of the merged value, an ensure a set or nothing, what was
// skipped or refused nothing. Carrying out the result as 1.0 does ends in the same document.
#pragma once

#include <vector>

#include "engine/engine.h"

namespace arbiter::engine {

struct Downgraded {
    std::vector<proposal::Proposal> commands;
    Outcome outcome;                 // of the commands as they came
    std::vector<std::size_t> lost;   // proposals that changed what 1.0 cannot reach
    std::vector<std::size_t> timed;  // proposals whose end 1.0 will not keep
};

Downgraded downgrade(const State& state, std::span<const proposal::Proposal> proposals,
                     const Policy& policy, const Context& context);

}  // namespace arbiter::engine
