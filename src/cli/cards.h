// Starting a campaign from a character card.
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
// Loads the start given by --card, --initvar, --greeting and --user. `id` is the campaign id, which
// seeds the card's random macros. On failure, reports the error and returns the exit code.
std::expected<CardStart, Exit> card_start_of(const Call& call, std::string_view id);

// The default profile, used without --profile. A card with variables from --initvar counts as an
// MVU card.
std::string_view usual_profile_of(const CardStart& begun);

// Sets `state` to the card's initial state if the card has one, else leaves it unchanged.
void first_state(const CardStart& begun, const engine::Policy& policy, engine::State& state);
// Makes untrusted text safe for a terminal: replaces control characters and bidirectional controls
// with U+FFFD.
std::string printable(std::string_view text);
// The first words of an untrusted text, on one line.
std::string first_words(std::string_view text);

}  // namespace arbiter::cli
