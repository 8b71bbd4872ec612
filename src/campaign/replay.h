// Replay: turns of a campaign played again, each under the very texts of its time.
//
// What a host decided around a turn (protocols switched by what was said) is no command. It is kept
// with the turn as what it set in the metadata, and set again.
#pragma once

#include "campaign/stage.h"
#include "ledger/history.h"

namespace arbiter::campaign {

// Members of the metadata before and after the commands of a turn; null: taken away.
struct HostMeta {
    value::Object before;
    value::Object after;
};
// As a member of a record's `extra`, and out of it again.
value::Object with_host_meta(value::Object extra, const HostMeta& meta);
HostMeta host_meta(const value::Object& extra);
value::Object set_meta(value::Object meta, const value::Object& members);
// The members of `after` that are others than in `before`.
value::Object changed_meta(const value::Object& before, const value::Object& after);

// The campaign must outlive what they give.
ledger::Step replaying(const ledger::Campaign& campaign);
ledger::Reread rereading(const ledger::Campaign& campaign);

}  // namespace arbiter::campaign
