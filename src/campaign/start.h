// CampaignStart: a new campaign from a description, checked in two steps: everything that needs no
// store first, so that a mistake creates nothing.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/create.h"
#include "card/import_note.h"
#include "config/card_start.h"
#include "config/diagnostics.h"

namespace arbiter::campaign {

// A campaign as its creator describes it. Empty members have defaults.
struct CampaignPlan {
    std::optional<std::string> id = {};  // default: the template's, if it can be one; else made up
    std::string name;     // default: the title of the template, the name of the card, or the id
    std::string profile;  // default: the one that suits the card, else auto
    value::Value document = value::Object();
    value::Value table;  // a template (table/campaign.h); null: no table
    std::vector<config::NamedText> tools = {};
    std::optional<card::Card> card = {};
    std::string card_file = {};  // its name, for messages; may be empty
    CardOptions card_options = {};
    std::size_t greeting = 0;
    bool fills_blueprints = false;  // of the rulebooks
    value::Object settings = {};
    std::vector<protocol::ProtocolRequest> protocols = {};
    engine::Instant now = 0;
};

// A random id, short enough to type.
std::string fresh_campaign_id();

struct StartedCampaign {
    std::unique_ptr<Session> session;
    std::string profile;
    std::vector<card::ImportNote> notes;  // the report on the card
    std::vector<base::Error> warnings;
    std::optional<turn::TurnResult> greeting;  // of the card
};

class CampaignStart {
  public:
    // Fails with the mistakes of a file (profile, card), or with one error of file "arbiter":
    // kCampaignId, kCampaignName.
    static std::expected<CampaignStart, config::FileDiagnostics> prepare(CampaignPlan plan);

    // Creates the campaign, opens it and plays the greeting of its card. To be called once.
    // `warnings` is complete also if it fails: those of create_campaign().
    base::Result<StartedCampaign> begin(ledger::Store& store, const SessionOptions& options,
                                        std::vector<base::Error>& warnings);

  private:
    std::expected<void, config::FileDiagnostics> name_it();
    std::expected<void, config::FileDiagnostics> load_rules();
    std::expected<void, config::FileDiagnostics> start_card(std::string user);
    [[nodiscard]] std::string user_in(const SessionOptions& options) const;
    void complete_state(std::vector<base::Error>& warnings);

    CampaignPlan plan_;
    bool has_profile_ = false;  // the creator named one
    CampaignSetup setup_;
    config::Start start_;
};

}  // namespace arbiter::campaign
