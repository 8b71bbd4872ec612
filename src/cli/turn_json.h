// The answers of the commands on turns as JSON: one object for each command, keys in snake_case,
// independent of the language. docs/scripts.md describes them.
#pragma once

#include <string>

#include "cli/command.h"
#include "ledger/campaign.h"
#include "table/player_view.h"
#include "value/object.h"

namespace arbiter::cli {

// One line of JSON.
std::string json_line(const value::Object& object);

value::Object campaign_json(const ledger::CampaignRow& row);
// {turn, id, parent?, time}
value::Object turn_row_json(const ledger::TurnRow& row);
// {campaign, turn, id}: where a campaign stands.
value::Object where_json(const ledger::Campaign& campaign);
// The turn log of a recorded turn, with its place in the tree, the hash of the state after it and
// its audit records; redacted.
value::Object turn_json(const ledger::Campaign& campaign, const ledger::TurnId& id,
                        const ledger::Record& record, const table::Redactor& redactor);

}  // namespace arbiter::cli
