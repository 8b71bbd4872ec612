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
class TurnPorts {
  public:
    using Committed = std::function<void(base::Result<std::string> id)>;

    TurnPorts() = default;
    TurnPorts(const TurnPorts&) = delete;
    TurnPorts& operator=(const TurnPorts&) = delete;

    // Asks the model. May call back before it returns.
    virtual std::unique_ptr<PendingAnswer> ask(Request request, AnswerCallbacks callbacks) = 0;
    // Makes a turn durable and calls `done` with its id. May call back before it returns.
    virtual void commit(const turn::Commit& commit, Committed done) = 0;
    virtual void show(const table::PlayerText& text) = 0;
    virtual void withdraw(std::int64_t attempt, const value::Value& feedback) = 0;
    // Called once, as the driver's last action: it may destroy the driver.
    virtual void finish(turn::TurnResult result) = 0;

  protected:
    ~TurnPorts() = default;
};

class TurnDriver {
  public:
    // Both are borrowed.
    TurnDriver(turn::Machine& machine, TurnPorts& ports) : machine_(machine), ports_(ports) {}
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
    void execute(turn::Show& show) { ports_.show(show.text); }
    void execute(turn::Withdraw& withdraw) { ports_.withdraw(withdraw.attempt, withdraw.feedback); }
    void execute(turn::Commit& commit);
    void execute(turn::Finish&) {}

    turn::Machine& machine_;
    TurnPorts& ports_;
    std::list<turn::Command> queue_;  // takes no memory while it is empty
    std::unique_ptr<PendingAnswer> answer_;
    bool is_running_ = false;
    bool is_ending_ = false;
};

}  // namespace arbiter::model
