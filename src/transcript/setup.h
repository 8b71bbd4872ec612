// Setup: the meaning of a turn's settings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "card/card.h"
#include "config/protocols.h"
#include "config/table_templates.h"
#include "config/tools.h"
#include "model/scripted.h"
#include "transcript/transcript.h"
#include "turn/rules.h"

namespace arbiter::transcript {

struct Setup {
    turn::BaseRules rules = {{}, {}, config::built_in_registries()};
    std::vector<std::string> protocols;  // references, files and folders
    config::Protocols library;
    value::Object meta = {};                    // of the first state: the active protocols
    config::TableTemplate table = {};           // a template of a table; null: none
    std::vector<config::NamedText> tools = {};  // of data: registered and allowed
    std::optional<card::Card> card = {};
    std::optional<model::Script> script = {};
    engine::Instant now = 0;
    bool is_player = false;  // plain replies are the player's
};

// `folder` is where files of settings are looked for, beside the current one. Fails for an unknown
// setting or value.
base::Result<Setup> setup_of(const Turn& turn, const std::string& folder = {});

}  // namespace arbiter::transcript
