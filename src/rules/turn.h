// Turn: commands judged and applied, then the world's own rules; the one step that live play,
// replay and tests all take.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "rules/react.h"
#include "rules/rulebook.h"

namespace arbiter::rules {

// What a campaign is played under.
struct Setting {
    engine::Policy policy;  // with what the rulebooks add to it
    std::vector<std::shared_ptr<const Rulebook>> books;
};
Setting make_setting(engine::Policy policy, std::vector<std::shared_ptr<const Rulebook>> books);

struct Played {
    engine::Outcome outcome;      // its state is the one after the rules
    std::vector<Effect> effects;  // of the rules, in order
    bool settled = true;          // see Reacted
};

// `narrative` is what the player sees of the reply that the proposals came from.
Played play(const engine::State& state, std::span<const proposal::Proposal> proposals,
            std::string_view narrative, const Setting& setting, const engine::Context& context,
            Memories* memories = nullptr);

// `传奇 a.b: 1 → 2`: one line, in no language.
std::string describe(const Effect& effect);

// The audit record of what a rule did, in the form of engine::audit_record; actor: system.
value::Value audit_record(const Effect& effect, std::size_t index, const engine::Context& context);

}  // namespace arbiter::rules
