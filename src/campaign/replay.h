// Replay: recorded turns of a campaign, judged again by turn::replay under the texts of their time.
#pragma once

#include "ledger/rebuild.h"
#include "turn/machine.h"

namespace arbiter::campaign {

// The campaign must outlive the result. One object for each thread.
ledger::ReplayStep replay_step(const ledger::Campaign& campaign);
ledger::Reread reread_step(const ledger::Campaign& campaign);

// The result of a stored turn, as it was when the turn was played, except for its notices about
// protocols. `turn` is its whole record, `globals` the settings of all campaigns of the store.
base::Result<turn::TurnResult> stored_result(const ledger::Campaign& campaign,
                                             const ledger::TurnId& id, const ledger::Record& turn,
                                             const value::Object& globals);

}  // namespace arbiter::campaign
