// React: runs the rules of the world at the end of a turn, after the commands of the batch.
//
// Pure and deterministic. Worlds that the commands cleared are backed up first. Then, book by book,
// in rounds until nothing changes (at most base::kReactionRoundsMax): midnight, reactions to
// changes, countdowns, derived values, rules and stocks of passed days, flags (once), ranges,
// clean-up, visibility.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "engine/engine.h"
#include "rules/effect.h"
#include "rules/rulebook.h"
#include "rules/visibility.h"
#include "value/diff.h"

namespace arbiter::rules {

struct Turn {
    const engine::State& before;  // before the batch
    std::span<const proposal::Proposal> proposals;
    engine::Outcome& outcome;    // of the batch; warnings of time may be added to its verdicts
    std::string_view narrative;  // the visible text of the reply
    engine::Actor actor = engine::Actor::kModel;
    // Pays for conditions and formulas; shared with the commands. Default: the reactions have one
    // of their own.
    base::Budget* budget = nullptr;
};

struct Reacted {
    engine::State state;
    std::vector<Effect> effects;
    bool settled = true;  // false: the rules did not converge and were stopped
    bool spent = false;   // the budget of the turn was spent, and rules were left out
    std::vector<OversizeRule> oversize = {};  // each rule once
};

// One cache for each rulebook, or none. A cache saves work from turn to turn and does not change
// the result.
using Memories = std::vector<VisibilityMemory>;
Reacted react(std::span<const std::shared_ptr<const Rulebook>> books, const Turn& turn,
              Memories* memories = nullptr);

}  // namespace arbiter::rules
