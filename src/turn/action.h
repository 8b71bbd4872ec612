// Action: one change of the document within a turn, in the order in which it happened. The actions
// of a turn, applied one after the other to the document before it, give the document after it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/engine.h"
#include "value/diff.h"
#include "value/object.h"

namespace arbiter::turn {

struct Action {
    enum class Kind : std::uint8_t {
        kExpire,   // a timer removed something; `source` indexes Outcome::expired
        kCommand,  // an applied instruction; `source` indexes the proposals
        kTool,     // an accepted tool call; `source` indexes the proposals. Kept even if it changed
                   // nothing.
        kRule      // the table or a rulebook; `source` indexes the turn's effects
    };
    Kind kind = Kind::kCommand;
    std::size_t source = 0;
    value::Object about;  // of a tool call, for the turn log: tool, args, result, actor_id …
    value::Diff changes;
    engine::Actor author = engine::Actor::kSystem;
};

}  // namespace arbiter::turn
