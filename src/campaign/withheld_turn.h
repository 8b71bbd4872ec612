// WithheldTurn: a turn that was reported and is not decided on yet, and the player's choice about
// it.
#pragma once

#include <string>
#include <string_view>

#include "campaign/session.h"
#include "turn/report_choice.h"

namespace arbiter::campaign {

struct WithheldTurn {
    turn::TurnResult result;
    std::string said;
};

// Plays the turn as chosen. `text`: the narration of kEdit. Fails with kNotAcceptable, or like
// Session::apply(); then nothing has changed, unless kAccept failed behind its turn.
base::Result<turn::TurnResult> choose(Session& session, const WithheldTurn& withheld,
                                      turn::ReportChoice choice, std::string_view text,
                                      engine::Instant now);

}  // namespace arbiter::campaign
