// Play: a turn of a transcript, carried out by turn::Machine and compared with what it expects.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "card/card.h"
#include "config/protocols.h"
#include "config/tools.h"
#include "model/scripted.h"
#include "transcript/transcript.h"
#include "turn/machine.h"

namespace arbiter::transcript {

// The meaning of a turn's settings.
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

// A committed step, for tests that check more than the transcript compares.
struct Step {
    const engine::State& before;
    const turn::Begun& begun;
    const turn::PendingTurn& turn;
};
using Watch = std::function<void(const Step&)>;

// A section that differs from what happened.
struct Mismatch {
    std::string section;  // its heading
    std::string expected;
    std::string got;
    base::Place place;  // of the section, or of the step that lacks it
};

struct PlayedTurn {
    Turn turn;  // with the sections as they came out
    std::vector<Mismatch> mismatches;
};

// Every step is a whole turn. Of each are compared:
//   verdicts, events, expired   always; an absent section says that there are none
//   after                       where it stands; by value and order of keys
//   changed                     where it stands: what the step changed, one path a line
//   status, shown               where they stand; always for a step with a script, and the status
//                               wherever it is not "committed"
//   shown, thinking, proposals, lost, components, notices
//                               where they stand; and all of them, with nothing else, for a turn
//                               that is about reading only (it has one of these, and no state,
//                               verdicts or after)
//   all others                  where they stand
// A turn without any expectation gets verdicts and the document at its end.
base::Result<PlayedTurn> play(const Turn& turn, const std::string& folder = {},
                              const Watch& watch = {});

}  // namespace arbiter::transcript
