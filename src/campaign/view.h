// Views: a campaign and its turns in the names of the specification: Campaign, Character, TurnLog,
// SummaryState. Made for output; nothing reads them back. They hold secrets: redact them for a
// player (table/player_view.h).
#pragma once

#include "campaign/session.h"

namespace arbiter::campaign {

// {campaign, characters, summary_state, turn_log, state}: the Campaign with its checkpoints and a
// pending rollback, the Characters by id, the SummaryState, the TurnLog of the head, and the rest
// of the document.
base::Result<value::Value> campaign_view(const ledger::Campaign& campaign,
                                         const SessionOptions& options);
// The TurnLog of a stored turn.
value::Value turn_log(const ledger::Record& record);

}  // namespace arbiter::campaign
