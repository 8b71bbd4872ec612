// What a campaign begins with when it begins from a card.
#pragma once

#include <expected>
#include <string>

#include "cli/command.h"
#include "config/card_start.h"
#include "engine/engine.h"

namespace arbiter::cli {

struct CardStart {
    card::Card card;
    config::Start start;
};
// What --card, --initvar, --greeting and --user say; complains where it cannot be done.
// `id` is the campaign's, on which what the card leaves to chance depends.
std::expected<CardStart, Exit> card_start_of(const Call& call, std::string_view id);

// What it is played under unless --profile says: a card to which --initvar brings variables is an
// MVU card too.
std::string_view usual_profile_of(const CardStart& begun);

// The state that it begins with, where the card brings one.
void first_state(const CardStart& begun, const engine::Policy& policy, engine::State& state);
// A text of a stranger on a terminal: control characters and those that turn the direction of
// writing become U+FFFD.
std::string printable(std::string_view text);

}  // namespace arbiter::cli
