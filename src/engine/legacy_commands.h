// Legacy commands: the effect of a reply as commands of tavern_commands 1.0.
//
// 1.0 has set, add, push, pull and delete, and no options. A consumer of 1.0 cannot merge, guard,
// deduplicate or choose by conditions, so all of that is decided here against the given state: an
// update becomes a set of the merged value, an ensure a set or nothing, a skipped or refused
// command nothing. Carrying out the result as 1.0 does leads to the same document.
#pragma once

#include <vector>

#include "engine/engine.h"

namespace arbiter::engine {

struct LegacyCommands {
    std::vector<proposal::Proposal> commands;
    Outcome outcome;                 // of the original proposals
    std::vector<std::size_t> lost;   // proposals with changes that 1.0 cannot express
    std::vector<std::size_t> timed;  // proposals whose expiry 1.0 will not keep
};

LegacyCommands to_legacy_commands(const State& state, std::span<const proposal::Proposal> proposals,
                                  const Policy& policy, const Context& context);

}  // namespace arbiter::engine
