// Setup: the campaigns of a run: profiles, rulebooks, tables, protocols, and planted secrets.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "campaign/create.h"
#include "config/card_start.h"
#include "tests/sim/coverage.h"
#include "tests/support/random.h"

namespace arbiter::sim {

// Texts that must never reach a player, or a model.
struct Secrets {
    std::string goal;    // a word of the hidden goal; empty: the goal is not hidden
    std::string hidden;  // the content of a node that is disabled for the model and the player
};
inline constexpr std::string_view kHiddenKey = "暗格";

struct SimulatedCampaign {
    campaign::CampaignSetup setup;
    Secrets secrets;
    bool has_table = false;
    bool has_chat = false;  // mostly a client that keeps its chat itself
    bool has_book = false;  // the rulebook of tests/rules/worlds.h
    value::Object globals;  // settings of all campaigns
    config::Start start;    // of the card, if there is one
};

SimulatedCampaign some_campaign(std::string id, tests::Random& random, Coverage& coverage);
// Shared: loading the library of protocols takes longer than a turn.
campaign::SessionOptions session_options(const SimulatedCampaign& made, tests::Random& random);

}  // namespace arbiter::sim
