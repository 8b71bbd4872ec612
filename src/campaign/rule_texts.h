// Rule texts: the profile, rulebooks, protocols and tools that a turn was judged under, stored with
// the campaign by digest, so that a campaign never depends on files that may change or disappear.
// Also the card that a campaign began with.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/shared_world.h"
#include "card/card.h"
#include "config/protocols.h"
#include "config/rulebooks.h"
#include "ledger/campaign.h"
#include "turn/rules.h"

namespace arbiter::campaign {

struct RuleTexts {
    std::vector<config::NamedText> sources;
    std::string library;    // the campaign's own protocols as JSON; empty: none
    value::Object digests;  // "profile auto" → digest of its text

    // The texts as a ledger stores them, without those that `stored` digests name, which the
    // store has.
    [[nodiscard]] std::vector<ledger::Blob> blobs(const value::Object& stored = {}) const;
};

// The texts of a world, of the protocols that are active in it, and of the tools of data that the
// document allows.
RuleTexts texts_of(const config::World& world, const protocol::Resolved& protocols,
                   const config::Protocols& library, const value::Value& document);

// The rules of a recorded turn, from the texts of its time: `digests` are the record's rules.
base::Result<std::shared_ptr<const turn::Rules>> recorded_rules(const ledger::Campaign& campaign,
                                                                const value::Object& digests,
                                                                const value::Value& document,
                                                                value::Object globals);
// The digests of the texts that the campaign is played under now, by their names. A turn that no
// command made has no rules of its own; then those of the turn before count.
base::Result<value::Object> present_rules(const ledger::Campaign& campaign);
// The profile, rulebooks and tools of such digests.
base::Result<std::shared_ptr<SharedWorld>> world_of(const ledger::Campaign& campaign,
                                                    const value::Object& rules);
// The protocols of such digests: those that were active, and the campaign's own library. Which are
// switched on now (Kept::references) is not among them.
base::Result<config::Protocols::Kept> kept_protocols(const ledger::Campaign& campaign,
                                                     const value::Object& rules);
// The newest text that an earlier turn was judged under for a reference. Campaigns of older
// versions have no library; a turn played without the folder of a protocol lost it.
base::Result<std::optional<config::NamedText>> find_earlier(const ledger::Campaign& campaign,
                                                            const protocol::Reference& reference);

// How a campaign began with its card, beside the card itself.
struct CardOptions {
    std::vector<card::Initvar> variables = {};  // beside those of the card
    bool fills_blueprints = false;              // of the rulebooks
};
// The card and its options are kept among the texts of the first turn.
void add_card(const card::Card& card, const CardOptions& options, ledger::NewCampaign& campaign);
base::Result<std::optional<card::Card>> card_of(const ledger::Campaign& campaign);
// Campaigns of older versions have none: the defaults.
base::Result<CardOptions> card_options_of(const ledger::Campaign& campaign);

}  // namespace arbiter::campaign
