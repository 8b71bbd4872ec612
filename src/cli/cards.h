// The command card, and starting a campaign from a character card.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "card/card.h"
#include "cli/command.h"

namespace arbiter::cli {

// Loads a card. On failure, reports the error and returns the exit code.
std::expected<card::Card, Exit> load_card(const Call& call, const std::string& file);
// The variables beside the card that --initvar names.
std::expected<std::vector<card::Initvar>, Exit> initvars_of(const Call& call);

// The first words of an untrusted text, on one line.
std::string first_words(std::string_view text);

std::span<const Command> card_commands();

}  // namespace arbiter::cli
