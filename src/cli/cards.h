// What a campaign begins with when it begins from a card.
#pragma once

#include <expected>
#include <optional>
#include <string>

#include "cli/command.h"
#include "config/cards.h"
#include "config/rulebooks.h"
#include "ledger/campaign.h"

namespace arbiter::cli {

// How the card's own text is called among what the first turn was played under, by which it is kept
// and exported like the texts of profiles.
inline constexpr std::string_view kCardKey = "card";

struct CardStart {
    config::Card card;
    config::Start start;
};
// What --card, --initvar, --greeting and --user say; complains where it cannot be done.
// `id` is the campaign's, on which what the card leaves to chance depends.
std::expected<CardStart, Exit> card_start_of(const Call& call, std::string_view id);

// What it is played under unless --profile says: a card to which --initvar brings variables is an
// MVU card too.
std::string_view usual_profile_of(const CardStart& begun);

// The state, the rules with the card among them, and its text.
void begin_with(const CardStart& begun, const config::World& world, ledger::Beginning& beginning);
// The greeting as the first turn, judged like any other; the lines to print.
base::Result<std::string> greet(const Console& console, const CardStart& begun,
                                const config::World& world, engine::Instant now,
                                ledger::Campaign& campaign);

// The card that a campaign began with, from what was kept; nothing where it began without one.
base::Result<std::optional<config::Card>> card_of(const ledger::Campaign& campaign);

// A text of a stranger on a terminal: control characters and those that turn the direction of
// writing become U+FFFD.
std::string printable(std::string_view text);

}  // namespace arbiter::cli
