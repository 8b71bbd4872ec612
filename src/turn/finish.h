// finish(): the end of a turn whose attempt was accepted: the turn is counted, the milestone moved,
// repeated illegal requests remembered, protocols that the reply switched take effect from the next
// turn on, and usage and feedback are kept in the metadata. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "protocol/library.h"
#include "turn/attempt.h"
#include "turn/rules.h"
#include "turn/usage.h"

namespace arbiter::turn {

// Members of the metadata that the turn set beside its commands, with null for those it erased. A
// replay sets them again instead of working them out: the protocol library and the calls of failed
// attempts are not part of a turn's record.
struct MetaEdits {
    value::Object before;  // applied before the commands
    value::Object after;   // applied after the turn is closed
};
value::Object with_members(value::Object meta, const value::Object& members);
// The members of `after` that differ from `before`, null for those that were removed.
value::Object changed_members(const value::Object& before, const value::Object& after);

struct Ending {
    Usage usage;                                    // of all attempts of the turn
    std::span<const FailedCall> failed_calls = {};  // of all attempts of the turn
    value::Value feedback = {};                     // for the next turn's request; null: none
    Usage uncommitted = {};                         // of earlier turns that came to nothing
    std::int64_t number = 0;                        // of the turn, for protocols
    // Of the player's words and the narrative, for milestones. Records of the first version have
    // none: their milestones count `usage`, and they keep no summary.
    std::optional<std::int64_t> story_tokens = {};
    value::Value before = {};  // the document in which the turn began
    const protocol::Library* library = nullptr;
    // A replay: the recorded members, in place of those that follow from the fields above.
    std::optional<value::Object> recorded_meta = {};
};

struct Finished {
    Attempt attempt;  // outcome.state is the state to commit; effects and actions are complete
    MetaEdits meta;   // `before` is filled in by the caller of begin()
    bool advanced = false;        // a milestone was passed
    bool unknown_policy = false;  // the milestone's policy is unknown: it never advances
    // Protocols that the reply switched, or failed to, and those that give way to them.
    std::vector<base::Text> notices;
};

Finished finish(Attempt attempt, const Rules& rules, const value::Object& settings,
                const engine::Context& context, const Ending& ending);

}  // namespace arbiter::turn
