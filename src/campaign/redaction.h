// The redactor for everything a viewer of a campaign sees. Works if the latest turns are damaged:
// then the newest state that can be loaded determines what is hidden.
#pragma once

#include "ledger/campaign.h"
#include "table/player_view.h"

namespace arbiter::campaign {

table::Redactor redactor_of(const ledger::Campaign& campaign, table::Viewer viewer);
// For a view of one turn: also hides what was hidden before or after it.
table::Redactor redactor_during(const ledger::Campaign& campaign, const ledger::TurnId& turn,
                                table::Viewer viewer);

}  // namespace arbiter::campaign
