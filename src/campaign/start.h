// Start: how a campaign begins: from a document, a card or a template of the table, with what it is
// played under.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/stage.h"

namespace arbiter::campaign {

struct Starting {
    std::string id;
    std::string name;
    engine::Instant now = 0;
    config::World world;
    engine::State state;
    std::optional<card::Card> card = {};
    std::vector<protocol::ProtocolRequest> wishes = {};  // protocols that hold from the beginning
    value::Value table = {};  // a template (table/campaign.h); null: no table
};
// `warnings`: protocols that a card wishes for and that are not there. Fails with kCampaignExists
// where the id is taken or reserved, with kProtocolUnknown where somebody else wished, and with
// what is wrong with the template.
base::Result<ledger::Campaign> start(ledger::Store& store, Starting starting, const Gear& gear,
                                     std::vector<base::Error>& warnings);

}  // namespace arbiter::campaign
