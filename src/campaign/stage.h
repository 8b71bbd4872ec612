// Stage: everything that a turn of a campaign is read and judged under: the profile with its
// rulebooks, the protocols that hold at the time, and the table's own rules.
//
// Its texts are kept with the turn by digest, so that kept_stage() can make the same stage again
// when the files have long become others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/messages.h"
#include "card/card.h"
#include "config/protocols.h"
#include "config/rulebooks.h"
#include "ledger/campaign.h"
#include "profile/profile.h"
#include "prompt/sources.h"
#include "protocol/library.h"
#include "table/judge.h"

namespace arbiter::campaign {

struct Stage {
    profile::Profile profile;
    table::TableSetting table;  // with the rulebooks, and the limits of the protocols
    protocol::Resolved protocols;
    std::vector<config::NamedText> sources;
    value::Object rules;  // what a turn names as its rules: name → digest of a source

    // How the replies of an actor are read. Tags of protocols are for the model's: a player who
    // types one means nothing by it.
    [[nodiscard]] reader::Options reading(engine::Actor actor) const;
    // The sources as a ledger keeps them.
    [[nodiscard]] std::vector<ledger::Blob> texts() const;
};

// What does not change from turn to turn.
struct Gear {
    config::Protocols protocols;
    std::shared_ptr<const table::Kit> kit = table::shipped_kit();
    value::Object globals = {};  // settings of all campaigns of the store
    base::Language language = base::Language::kChinese;
    std::size_t context_tokens = prompt::kContextTokens;  // of the model's window
};

// The state's metadata says which protocols are switched on, its document which places belong to
// the table.
base::Result<Stage> make_stage(config::World world, const engine::State& state, const Gear& gear);

// The stage of a turn that was kept, from the texts of its time.
base::Result<Stage> kept_stage(const ledger::Campaign& campaign, const value::Object& rules,
                               const value::Value& document, value::Object globals);
// What the campaign is played under now. Turns that no command made have no rules of their own;
// then those of the turn before count.
base::Result<value::Object> present_rules(const ledger::Campaign& campaign);
// The profile and rulebooks of it, without the protocols.
base::Result<config::World> present_world(const ledger::Campaign& campaign);

// The card that a campaign began with is kept among the texts of its first turn; it is no rule.
void add_card(const card::Card& card, ledger::Beginning& beginning);
base::Result<std::optional<card::Card>> card_of(const ledger::Campaign& campaign);

}  // namespace arbiter::campaign
