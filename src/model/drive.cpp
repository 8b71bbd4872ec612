#include "model/drive.h"

#include "base/check.h"
#include "model/turn_driver.h"

namespace arbiter::model {
namespace {

// Surroundings that answer at once.
class BlockingPorts final : public TurnPorts {
  public:
    BlockingPorts(Model* model, const CommitTurn& commit, const TurnCallbacks& callbacks)
        : model_(model), commit_(commit), callbacks_(callbacks) {}

    std::unique_ptr<PendingAnswer> ask(Request request, AnswerCallbacks answer) override {
        CHECK(model_ != nullptr);
        auto reply = model_->answer(request, [&](const Piece& piece) {
            if (callbacks_.is_cancelled && callbacks_.is_cancelled()) {
                return false;
            }
            answer.on_piece(piece);
            return !driver->is_ending();
        });
        answer.on_done(std::move(reply));
        return nullptr;
    }
    void commit(const turn::Commit& pending, Committed done) override { done(commit_(pending)); }
    void show(const table::PlayerText& text) override {
        if (callbacks_.on_show) {
            callbacks_.on_show(text);
        }
    }
    void withdraw(std::int64_t attempt, const value::Value& feedback) override {
        if (callbacks_.on_withdraw) {
            callbacks_.on_withdraw(attempt, feedback);
        }
    }
    void finish(turn::TurnResult finished) override { result = std::move(finished); }

    const TurnDriver* driver = nullptr;
    std::optional<turn::TurnResult> result;

  private:
    Model* model_;
    const CommitTurn& commit_;
    const TurnCallbacks& callbacks_;
};

}  // namespace

turn::TurnResult drive(turn::Machine& machine, turn::Commands first, Model* model,
                       const CommitTurn& commit, const TurnCallbacks& callbacks) {
    BlockingPorts ports(model, commit, callbacks);
    TurnDriver driver(machine, ports);
    ports.driver = &driver;
    driver.start(std::move(first));
    CHECK(ports.result);
    return *std::move(ports.result);
}

}  // namespace arbiter::model
