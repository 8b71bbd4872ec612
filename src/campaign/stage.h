// Stage: everything that a turn of a campaign is read and judged under: the profile with its
// rulebooks, and the protocols that hold at the time.
//
// Its texts are kept with the turn by digest, so that kept_stage() can make the same stage again
// when the files have long become others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/messages.h"
#include "config/cards.h"
#include "config/protocols.h"
#include "config/rulebooks.h"
#include "ledger/campaign.h"
#include "profile/profile.h"
#include "protocol/library.h"

namespace arbiter::campaign {

struct Stage {
    profile::Profile profile;
    rules::Setting setting;  // with the limits of the protocols
    protocol::Resolved protocols;
    std::vector<config::Source> sources;

    // How the replies of an actor are read. Tags of protocols are for the model's: a player who
    // types one means nothing by it.
    [[nodiscard]] reader::Options reading(engine::Actor actor) const;
    // What a turn names as its rules (name → digest), and the texts that belong to it.
    [[nodiscard]] value::Object rules() const;
    [[nodiscard]] std::vector<ledger::Blob> texts() const;
};

// `meta` says which protocols are switched on.
Stage make_stage(config::World world, const value::Object& meta, const config::Protocols& protocols,
                 base::Language language = base::Language::kChinese);

// The stage of a turn that was kept, from the texts of its time.
base::Result<Stage> kept_stage(const ledger::Campaign& campaign, const value::Object& rules);
// What the campaign is played under now. Turns that no command made have no rules of their own;
// then those of the turn before count.
base::Result<value::Object> present_rules(const ledger::Campaign& campaign);
// The profile and rulebooks of it, without the protocols.
base::Result<config::World> present_world(const ledger::Campaign& campaign);

// The card that a campaign began with is kept among the texts of its first turn; it is no rule.
void add_card(const config::Card& card, ledger::Beginning& beginning);
base::Result<std::optional<config::Card>> card_of(const ledger::Campaign& campaign);

}  // namespace arbiter::campaign
