#include "model/drive.h"

#include "base/check.h"
#include "model/turn_driver.h"

namespace arbiter::model {

turn::TurnResult drive(turn::Machine& machine, turn::Commands first, Model* model,
                       const CommitTurn& commit, const TurnCallbacks& callbacks) {
    std::optional<turn::TurnResult> result;
    const TurnDriver* running = nullptr;
    const auto ask = [&](const Request& request,
                         const AnswerCallbacks& answer) -> std::unique_ptr<PendingAnswer> {
        CHECK(model != nullptr);
        auto reply = model->answer(request, [&](const Piece& piece) {
            if (callbacks.is_cancelled && callbacks.is_cancelled()) {
                return false;
            }
            answer.on_piece(piece);
            return !running->is_ending();
        });
        answer.on_done(std::move(reply));
        return nullptr;
    };
    TurnPorts ports;
    ports.ask = ask;
    ports.commit = [&](const turn::Commit& pending, const TurnPorts::Committed& done) {
        done(commit(pending));
    };
    ports.on_show = callbacks.on_show;
    ports.on_withdraw = callbacks.on_withdraw;
    ports.on_finish = [&](turn::TurnResult finished) { result = std::move(finished); };
    TurnDriver driver(machine, std::move(ports));
    running = &driver;
    driver.start(std::move(first));
    CHECK(result);
    return *std::move(result);
}

}  // namespace arbiter::model
