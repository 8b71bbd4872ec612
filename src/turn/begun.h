// Begun: a turn that has begun: the state after the player's words, and the rules that hold until
// the turn ends.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/engine.h"
#include "turn/rules.h"

namespace arbiter::turn {

struct Begun {
    engine::State state;  // before the commands in the player's words
    std::shared_ptr<const Rules> rules;
    value::Object settings;
    engine::Context context;
    std::int64_t number = 0;
    value::Object meta_before;         // members of the metadata that the player's words changed
    std::vector<base::Text> switched;  // protocols that the player's words switched, or failed to
    std::vector<base::Text> losing;    // protocols that give way since these words
    // Commands in the player's words, in the dialects that the profile reads from players. They are
    // judged before those of the reply.
    std::vector<proposal::Proposal> heard = {};
    // The document after them, for the prompt. Rulebooks react at the end of the turn.
    value::Value opened = {};
};

}  // namespace arbiter::turn
