#include "model/drive.h"

#include <deque>

#include "base/check.h"

namespace arbiter::model {

namespace {

class Driver {
  public:
    Driver(turn::Machine& machine, Model* model, const CommitTurn& commit,
           const TurnCallbacks& callbacks)
        : machine_(machine), model_(model), commit_(commit), callbacks_(callbacks) {}

    turn::TurnResult run(turn::Commands first) {
        add(std::move(first));
        while (true) {
            CHECK(!queue_.empty());
            turn::Command command = std::move(queue_.front());
            queue_.pop_front();
            if (auto* finish = std::get_if<turn::Finish>(&command)) {
                return std::move(finish->result);
            }
            std::visit([this](auto& each) { execute(each); }, command);
        }
    }

  private:
    void add(turn::Commands commands) {
        for (turn::Command& each : commands) {
            queue_.push_back(std::move(each));
        }
    }

    void execute(turn::Ask& ask) {
        CHECK(model_ != nullptr);
        Request request;
        request.messages = std::move(ask.messages);
        request.tools = std::move(ask.tools);
        request.turn = ask.turn;
        request.attempt = ask.attempt;
        request.round = ask.round;
        auto reply = model_->answer(request, [this](const Piece& piece) {
            if (callbacks_.is_cancelled && callbacks_.is_cancelled()) {
                return false;
            }
            bool is_finished = false;
            if (piece.kind == Piece::Kind::kText) {
                // Shown before the next piece arrives.
                for (turn::Command& each : machine_.model_piece(piece.text)) {
                    if (std::holds_alternative<turn::Finish>(each)) {
                        is_finished = true;
                        queue_.push_back(std::move(each));
                        continue;
                    }
                    std::visit([this](auto& command) { execute(command); }, each);
                }
            }
            return !is_finished;
        });
        if (!reply) {
            add(machine_.model_failed(std::move(reply).error()));
            return;
        }
        add(machine_.model_done(reply->usage.prompt + reply->usage.completion,
                                std::move(reply->tool_calls)));
    }
    void execute(turn::Show& show) {
        if (callbacks_.on_show) {
            callbacks_.on_show(show.text);
        }
    }
    void execute(turn::Withdraw& withdraw) {
        if (callbacks_.on_withdraw) {
            callbacks_.on_withdraw(withdraw.attempt, withdraw.feedback);
        }
    }
    void execute(turn::Commit& commit) {
        auto id = commit_(commit);
        add(id ? machine_.committed(*std::move(id))
               : machine_.commit_failed(std::move(id).error()));
    }
    void execute(turn::Finish&) {}

    turn::Machine& machine_;
    Model* model_;
    const CommitTurn& commit_;
    const TurnCallbacks& callbacks_;
    std::deque<turn::Command> queue_;
};

}  // namespace

turn::TurnResult drive(turn::Machine& machine, turn::Commands first, Model* model,
                       const CommitTurn& commit, const TurnCallbacks& callbacks) {
    return Driver(machine, model, commit, callbacks).run(std::move(first));
}

}  // namespace arbiter::model
