// Replay: recorded turns of a campaign, judged again by turn::replay under the texts of their time.
#pragma once

#include "ledger/rebuild.h"

namespace arbiter::campaign {

// The campaign must outlive the result. One object for each thread.
ledger::ReplayStep replay_step(const ledger::Campaign& campaign);
ledger::Reread reread_step(const ledger::Campaign& campaign);

}  // namespace arbiter::campaign
