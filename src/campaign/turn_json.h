// Turns and campaigns as JSON, for commands and routes: keys in snake_case, independent of the
// language. docs/scripts.md describes them.
#pragma once

#include "ledger/campaign.h"
#include "table/player_view.h"
#include "value/object.h"

namespace arbiter::campaign {

value::Object campaign_json(const ledger::CampaignRow& row);
// {turn, id, parent?, time}
value::Object turn_row_json(const ledger::TurnRow& row);
// {campaign, turn, id}: the current turn of a campaign.
value::Object where_json(const ledger::Campaign& campaign);
// The turn log of a recorded turn, with its place in the tree, the hash of the state after it and
// its audit records; redacted.
value::Object turn_json(const ledger::Campaign& campaign, const ledger::TurnId& id,
                        const ledger::Record& record, const table::Redactor& redactor);

}  // namespace arbiter::campaign
