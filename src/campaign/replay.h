// Replay: turns of a campaign played again, each under the very texts of its time.
//
// What a host decided around a turn (protocols switched by what was said) is no command. It is kept
// with the turn as what it set in the metadata, and set again.
#pragma once

#include "campaign/stage.h"
#include "ledger/rebuild.h"

namespace arbiter::campaign {

value::Object set_meta(value::Object meta, const value::Object& members);
// The members of `after` that are others than in `before`.
value::Object changed_meta(const value::Object& before, const value::Object& after);

// The campaign must outlive what they give.
ledger::ReplayStep replaying(const ledger::Campaign& campaign);
ledger::Reread rereading(const ledger::Campaign& campaign);

}  // namespace arbiter::campaign
