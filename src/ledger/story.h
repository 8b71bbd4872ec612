// Story: the line to the head for a player to keep: JSON lines of what was said, shown and changed,
// redacted. Cannot be imported again; for that there is archive.h.
#pragma once

#include <string>

#include "ledger/campaign.h"
#include "table/player_view.h"

namespace arbiter::ledger {

base::Result<std::string> export_story(const Campaign& campaign, const table::Redactor& redactor);

}  // namespace arbiter::ledger
