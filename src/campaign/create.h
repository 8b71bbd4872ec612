// create_campaign(): a new campaign from a document, a card or a template of the table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "campaign/session.h"

namespace arbiter::campaign {

struct CampaignSetup {
    std::string id;
    std::string name;
    engine::Instant now = 0;
    config::World world;
    engine::State state;
    std::optional<card::Card> card = {};
    CardOptions card_options = {};
    std::size_t greeting = 0;     // of the card
    value::Object settings = {};  // a patch, such as {"user.name": "Rook"}
    std::vector<protocol::ProtocolRequest> protocols = {};  // active from the beginning
    value::Value table = {};                    // a template (table/campaign.h); null: no table
    std::vector<config::NamedText> tools = {};  // of data: registered and allowed
};
// `warnings`: protocols that the card names and that cannot be used, and those that give way. Fails
// with kCampaignExists if the id is taken or reserved, with kProtocolUnknown for another protocol
// that does not exist, with kToolsNeedTable for tools without a template, and with the errors of
// the template. The greeting is not played: campaign/greeting.h.
base::Result<ledger::Campaign> create_campaign(ledger::Store& store, CampaignSetup setup,
                                               const SessionOptions& options,
                                               std::vector<base::Error>& warnings);

}  // namespace arbiter::campaign
