// The actions of a turn that was played without a table: expired nodes, commands, then rules.
#pragma once

#include <span>
#include <vector>

#include "engine/engine.h"
#include "rules/react.h"
#include "turn/action.h"

namespace arbiter::tests {

inline std::vector<turn::Action> actions_of(const engine::Outcome& outcome,
                                            std::span<const rules::Effect> effects) {
    using Kind = turn::Action::Kind;
    std::vector<turn::Action> actions;
    const auto add = [&](Kind kind, std::size_t source, const value::Diff& changes) {
        if (!changes.empty()) {
            actions.push_back({kind, source, {}, changes});
        }
    };
    for (std::size_t i = 0; i < outcome.expired.size(); ++i) {
        add(Kind::kExpire, i, outcome.expired[i].changes);
    }
    for (std::size_t i = 0; i < outcome.verdicts.size(); ++i) {
        add(Kind::kCommand, i, outcome.verdicts[i].changes);
    }
    for (std::size_t i = 0; i < effects.size(); ++i) {
        add(Kind::kRule, i, effects[i].changes);
    }
    return actions;
}

}  // namespace arbiter::tests
