// React: what the world does by itself at the end of a turn, after the commands of the batch.
//
// Pure: the same turn under the same rulebooks gives the same bytes. In this order, book after
// book, again and again until nothing more changes (at most base::kReactionRoundsMax times): the
// clock over midnight, reactions to changes, derived values, what days bring, flags (once), ranges,
// clean-up, what is shown and hidden. Backups of a world that was left are taken first.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
    std::string_view narrative;  // what the player sees of the reply
    engine::Actor actor = engine::Actor::kModel;
};

struct Reacted {
    engine::State state;
    std::vector<Effect> effects;
    bool settled = true;  // false: the rules kept on changing each other's values, and were stopped
};

// One memory for each rulebook, or none. They save work from turn to turn and change nothing in the
// result.
using Memories = std::vector<VisibilityMemory>;
Reacted react(std::span<const std::shared_ptr<const Rulebook>> books, const Turn& turn,
              Memories* memories = nullptr);

// A world that was left: what was kept of it, oldest first.
struct Backup {
    std::string world;
    value::Object contents;  // dotted path → what stood there
    std::optional<value::Value> date;
};
std::vector<Backup> backups(const value::Object& meta);
// Puts the newest backup of a world back: members that are there now stay, and the rules look at
// everything anew. Fails with kNotFound.
base::Result<engine::State> restore_world(const engine::State& state, std::string_view world);

}  // namespace arbiter::rules
