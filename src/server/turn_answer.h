// The answer to a request that played a turn, as the API returns it.
#pragma once

#include "campaign/session.h"
#include "turn/turn_result.h"

namespace arbiter::server {

// {turn?, status, shown, results, actions, notice?, report?, usage, attempts, already_stored?}.
// Redacted for the viewer.
table::PlayerValue turn_answer(const campaign::Session& session, turn::TurnResult result,
                               table::Viewer viewer);

}  // namespace arbiter::server
