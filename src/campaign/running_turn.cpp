#include "campaign/running_turn.h"

#include "model/turn_driver.h"

namespace arbiter::campaign {

using base::Result;

// A turn between its steps. Holds itself until it is finished.
class RunningTurn final : public std::enable_shared_from_this<RunningTurn>,
                          private model::TurnPorts {
  public:
    static std::function<void()> start(Session& session, turn::TurnRequest request,
                                       const TurnCondition& condition,
                                       TurnSurroundings surroundings) {
        auto work = session.begin_work();
        if (!work) {
            end(surroundings, std::unexpected(std::move(work).error()));
            return [] {};
        }
        auto stored = session.prepare_turn(request, condition);
        if (!stored) {
            end(surroundings, std::unexpected(std::move(stored).error()));
            return [] {};
        }
        if (*stored) {
            end(surroundings, **std::move(stored));
            return [] {};
        }
        const std::shared_ptr<RunningTurn> turn(
            new RunningTurn(session, *std::move(work), std::move(surroundings)));
        turn->self_ = turn;
        turn->driver_.start(turn->machine_.start(std::move(request)));
        return [still = std::weak_ptr(turn)] {
            if (const auto running = still.lock()) {
                running->driver_.cancel();
            }
        };
    }

  private:
    RunningTurn(Session& session, Work work, TurnSurroundings surroundings)
        : session_(session),
          work_(std::move(work)),
          surroundings_(std::move(surroundings)),
          machine_(session.machine(surroundings_.model.takes_tools())),
          driver_(machine_, *this) {}

    std::unique_ptr<model::PendingAnswer> ask(model::Request request,
                                              model::AnswerCallbacks callbacks) override {
        return surroundings_.model.ask(std::move(request), std::move(callbacks),
                                       surroundings_.post);
    }

    void show(const table::PlayerText& text) override {
        if (surroundings_.on_show) {
            surroundings_.on_show(text);
        }
    }

    void withdraw(std::int64_t attempt, const value::Value& feedback) override {
        if (surroundings_.on_withdraw) {
            surroundings_.on_withdraw(attempt, feedback);
        }
    }

    void commit(const turn::Commit& commit, Committed done) override {
        auto prepared = session_.prepare(commit);
        if (!prepared) {
            done(std::unexpected(std::move(prepared).error()));
            return;
        }
        ledger::Commit rows = std::move(prepared->prepared.commit);
        const auto pending = std::make_shared<Session::PendingCommit>(*std::move(prepared));
        const auto take = [this, pending, done = std::move(done)](Result<> stored) {
            done(stored ? Result<std::string>(session_.accept(std::move(*pending)))
                        : std::unexpected(commit_error(std::move(stored).error(),
                                                       session_.options().language)));
        };
        surroundings_.committer.commit(
            std::move(rows), [post = surroundings_.post, take](Result<> stored) {
                post([take, stored = std::move(stored)] { take(stored); });
            });
    }

    void finish(turn::TurnResult result) override {
        const auto self = std::move(self_);
        auto resolved = session_.once_.resolve(
            session_.campaign_, session_.finished(std::move(result)), session_.options().globals);
        {
            const Work over = std::move(work_);
        }
        end(surroundings_, std::move(resolved));
    }

    static void end(const TurnSurroundings& surroundings, Result<turn::TurnResult> result) {
        const auto shared = std::make_shared<Result<turn::TurnResult>>(std::move(result));
        surroundings.post(
            [on_done = surroundings.on_done, shared] { on_done(std::move(*shared)); });
    }

    Session& session_;
    Work work_;
    TurnSurroundings surroundings_;
    turn::Machine machine_;
    model::TurnDriver driver_;
    std::shared_ptr<RunningTurn> self_;
};

std::function<void()> start_turn(Session& session, turn::TurnRequest request,
                                 const TurnCondition& condition, TurnSurroundings surroundings) {
    return RunningTurn::start(session, std::move(request), condition, std::move(surroundings));
}

}  // namespace arbiter::campaign
