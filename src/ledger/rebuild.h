// Rebuild: replays a campaign from its stored commands, compares every state, and tells the state
// that the commands lead to.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "ledger/verify.h"
#include "proposal/proposal.h"

namespace arbiter::ledger {

struct TurnCommands {
    std::vector<proposal::Proposal> said;   // in the player's words
    std::vector<proposal::Proposal> reply;  // of the model
};

// Judges the commands of a turn again, under the rules the turn names, and returns the state after
// it. `turn` has no details and no changes.
using ReplayStep = std::function<base::Result<engine::State>(
    const engine::State& before, const Record& turn, TurnCommands commands)>;

// Reads the stored texts of a turn again with the present reader. `turn` is the whole record.
using Reread =
    std::function<base::Result<TurnCommands>(const engine::State& before, const Record& turn)>;

// One replay of consecutive turns. It may cache between turns; one thread uses it.
struct Replayer {
    ReplayStep step;
    Reread reread = {};  // none: the stored commands are trusted
};
using MakeReplayer = std::function<Replayer()>;

// Replays the line to the head and reports each turn that leads to another state, or (with
// `reread`) whose texts give other commands. Uses up to `threads` threads, each with a replayer
// of its own that starts at a keyframe; the report does not depend on their number. The campaign
// must not change meanwhile.
base::Result<CheckReport> rebuild(const Campaign& campaign, const MakeReplayer& make,
                                  const Progress& progress, std::size_t threads);
// On the calling thread.
base::Result<CheckReport> rebuild(const Campaign& campaign, const ReplayStep& step,
                                  const Progress& progress = {}, const Reread& reread = {});

// The state at the head when every turn of the line is played again from the replayed state of the
// turn before it; nothing if `progress` stopped it. Edits and turns of another revision apply their
// recorded changes; where these do not fit the replayed state, the recorded state stands.
base::Result<std::optional<engine::State>> replayed_state(const Campaign& campaign,
                                                          const Replayer& replayer,
                                                          const Progress& progress = {});

}  // namespace arbiter::ledger
