// start_turn(): Session::turn() without blocking a thread, for servers.
//
// Everything of the turn happens on one executor: the caller of start_turn() is on it, and all
// later steps come through `post`. While the turn waits for the model or the store, it holds no
// thread.
#pragma once

#include <functional>

#include "campaign/session.h"
#include "ledger/committer.h"
#include "model/async_model.h"

namespace arbiter::campaign {

struct TurnSurroundings {
    model::AsyncModel& model;
    ledger::Committer& committer;
    model::Post post;  // the executor
    std::function<void(const table::PlayerText& text)> on_show = {};
    std::function<void(std::int64_t attempt, const value::Value& feedback)> on_withdraw = {};
    // Called once, with the result or error of Session::turn(). Another turn may begin then.
    std::function<void(base::Result<turn::TurnResult> result)> on_done;
};

// The session, the model and the committer must live until `on_done` was called. Returns a function
// that cancels the turn; it is called on the executor, and without effect once the turn is being
// committed.
std::function<void()> start_turn(Session& session, turn::TurnRequest request,
                                 const TurnCondition& condition, TurnSurroundings surroundings);

}  // namespace arbiter::campaign
