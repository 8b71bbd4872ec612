// replay(): a recorded turn, judged and finished again by the functions of live play. Pure.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "turn/turn.h"

namespace arbiter::turn {

// Counts up when a change of the engine or the table makes recorded turns end in other states. A
// turn of another revision is not judged again: its recorded changes are applied.
inline constexpr std::int64_t kRevision = 8;

// The parts of a record that a replay needs beside its proposals.
struct ReplayInputs {
    engine::Context context;
    std::string_view shown;  // the narrative that the rulebooks saw
    MetaEdits meta;
    Usage usage;
    std::optional<std::int64_t> story_tokens = {};  // none: a record of the first version
    std::span<const FailedCall> failed_calls = {};  // of all attempts
    std::vector<proposal::Proposal> heard = {};     // commands in the player's words
};

Finished replay(const engine::State& before, std::vector<proposal::Proposal> proposals,
                std::shared_ptr<const Rules> rules, const ReplayInputs& inputs,
                rules::Memories* memories = nullptr);

}  // namespace arbiter::turn
