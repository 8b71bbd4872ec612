// The blocking driver of turn::Machine: executes its commands on the calling thread until the turn
// is finished.
#pragma once

#include <functional>
#include <string>

#include "model/model.h"
#include "turn/machine.h"

namespace arbiter::model {

// Makes a turn durable. Returns its id.
using CommitTurn = std::function<base::Result<std::string>(const turn::Commit& commit)>;

struct TurnCallbacks {
    std::function<bool()> is_cancelled = {};  // polled while the model answers
    std::function<void(const table::PlayerText& text)> on_show = {};
    std::function<void(std::int64_t attempt, const value::Value& feedback)> on_withdraw = {};
};

// `first` are the commands that start() returned. `model` may be nullptr where the machine was
// started with a reply at hand. An error of the model or of `commit` ends the turn as kFailed.
turn::TurnResult drive(turn::Machine& machine, turn::Commands first, Model* model,
                       const CommitTurn& commit, const TurnCallbacks& callbacks = {});

}  // namespace arbiter::model
