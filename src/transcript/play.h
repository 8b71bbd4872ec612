// Play: a turn of a transcript, carried out by turn::Machine and compared with its expectations.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "transcript/transcript.h"
#include "turn/machine.h"

namespace arbiter::transcript {

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
