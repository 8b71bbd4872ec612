#include "model/async_model.h"

#include <atomic>
#include <mutex>

namespace arbiter::model {

namespace {

class Cancellable final : public PendingAnswer {
  public:
    explicit Cancellable(std::shared_ptr<std::atomic<bool>> is_cancelled)
        : is_cancelled_(std::move(is_cancelled)) {}
    ~Cancellable() override { *is_cancelled_ = true; }

  private:
    std::shared_ptr<std::atomic<bool>> is_cancelled_;
};

class Immediate final : public AsyncModel {
  public:
    explicit Immediate(std::unique_ptr<Model> model) : model_(std::move(model)) {}

    std::unique_ptr<PendingAnswer> ask(Request request, AnswerCallbacks callbacks,
                                       Post post) override {
        auto is_cancelled = std::make_shared<std::atomic<bool>>(false);
        post([this, is_cancelled, request = std::move(request), callbacks = std::move(callbacks)] {
            if (*is_cancelled) {
                return;
            }
            // Answered as a whole first: a callback may take long, and others wait for the model.
            std::vector<std::pair<std::string, Piece::Kind>> pieces;
            base::Result<Reply> reply = answer(request, pieces);
            for (const auto& [text, kind] : pieces) {
                callbacks.on_piece({text, kind});
                if (*is_cancelled) {
                    return;
                }
            }
            callbacks.on_done(std::move(reply));
        });
        return std::make_unique<Cancellable>(std::move(is_cancelled));
    }
    [[nodiscard]] bool takes_tools() const override { return model_->takes_tools(); }

  private:
    base::Result<Reply> answer(const Request& request,
                               std::vector<std::pair<std::string, Piece::Kind>>& pieces) {
        const std::scoped_lock lock(answering_);
        return model_->answer(request, [&](const Piece& piece) {
            pieces.emplace_back(piece.text, piece.kind);
            return true;
        });
    }

    std::unique_ptr<Model> model_;
    std::mutex answering_;
};

}  // namespace

std::unique_ptr<AsyncModel> make_async(std::unique_ptr<Model> model) {
    return std::make_unique<Immediate>(std::move(model));
}

}  // namespace arbiter::model
