// Play: a turn of a transcript, carried out and compared with what it expects.
#pragma once

#include <functional>

#include "engine/engine.h"
#include "profile/profile.h"
#include "reader/reader.h"
#include "transcript/transcript.h"
#include "turn/turn.h"

namespace arbiter::transcript {

// What the settings of a turn say.
struct Setup {
    profile::Profile profile;
    bool show_thinking = false;
    std::vector<std::string> protocols;  // references and files
    std::vector<reader::TagHint> protocol_tags;
    rules::Setting setting;  // the profile's policy and rulebooks, and the protocols'
    engine::Instant now = 0;
    bool is_player = false;  // plain replies are the player's
    [[nodiscard]] reader::Options options_for(engine::Actor actor) const;
};

// Fails for a setting that nobody knows, or that has no such value.
base::Result<Setup> setup_of(const Turn& turn);

// One reply while it is played, for those who want to know more than the transcript compares.
struct Step {
    const engine::State& before;
    const rules::Setting& setting;
    const engine::Context& context;
    const reader::Reading& reading;
    const engine::Outcome& outcome;  // of the commands, and then of the rules
    const std::vector<rules::Effect>& effects;
};
using Watch = std::function<void(const Step&)>;

// A section that says something else than what happened.
struct Mismatch {
    std::string section;  // its heading
    std::string expected;
    std::string got;
    base::Place place;  // of the section, or of the reply that has none of it
};

struct Played {
    Turn turn;  // with the expectations as they came
    std::vector<Mismatch> mismatches;
};

// Every reply is read, judged and applied. Of each are compared:
//   verdicts, events, expired   always; an absent section says that there are none
//   rules                       what the rulebooks did, where it stands
//   after                       the document, where it stands; by value and order of keys
//   shown, thinking, proposals, lost, components, notices
//                               where they stand; and all of them, with nothing else, for a turn
//                               that is about reading only (it has one of these, and no state,
//                               verdicts or after)
// A turn without any expectation gets verdicts and the document at its end.
base::Result<Played> play(const Turn& turn, const Watch& watch = {});

}  // namespace arbiter::transcript
