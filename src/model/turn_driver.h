// TurnDriver: executes the commands of a turn::Machine until the turn is finished. It never waits:
// the model and the store may answer at once or later.
//
// Not thread-safe: all calls, also those of the callbacks, come from one executor.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>

#include "model/async_model.h"
#include "turn/machine.h"

namespace arbiter::model {

// The surroundings of a turn.
struct TurnPorts {
    // Asks the model. May call back before it returns.
    std::function<std::unique_ptr<PendingAnswer>(Request request, AnswerCallbacks callbacks)> ask;
    // Makes a turn durable and calls `done` with its id. May call back before it returns.
    using Committed = std::function<void(base::Result<std::string> id)>;
    std::function<void(const turn::Commit& commit, Committed done)> commit;
    std::function<void(const table::PlayerText& text)> on_show = {};
    std::function<void(std::int64_t attempt, const value::Value& feedback)> on_withdraw = {};
    // Called once, as the driver's last action: it may destroy the driver.
    std::function<void(turn::TurnResult result)> on_finish;
};

class TurnDriver {
  public:
    // `machine` is borrowed.
    TurnDriver(turn::Machine& machine, TurnPorts ports);
    TurnDriver(const TurnDriver&) = delete;
    TurnDriver& operator=(const TurnDriver&) = delete;

    // `first`: the commands that Machine::start() returned.
    void start(turn::Commands first);
    // Without effect once the turn is being committed or finished.
    void cancel();
    // The turn is over, or will be when the running command ends: pieces are no longer taken.
    [[nodiscard]] bool is_ending() const noexcept { return is_ending_; }

  private:
    void take(turn::Commands commands);
    void run();
    void take_piece(const Piece& piece);
    void execute(turn::Ask& ask);
    void execute(turn::Show& show);
    void execute(turn::Withdraw& withdraw);
    void execute(turn::Commit& commit);
    void execute(turn::Finish&) {}

    turn::Machine& machine_;
    TurnPorts ports_;
    std::list<turn::Command> queue_;  // takes no memory while it is empty
    std::unique_ptr<PendingAnswer> answer_;
    bool is_running_ = false;
    bool is_ending_ = false;
};

}  // namespace arbiter::model
