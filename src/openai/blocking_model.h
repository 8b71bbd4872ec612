// BlockingModel: a model::Model that waits for the answers of a model::AsyncModel.
#pragma once

#include <functional>

#include "model/async_model.h"

namespace arbiter::openai {

// For one thread. The callbacks of an answer are made on the thread that calls answer().
class BlockingModel final : public model::Model {
  public:
    // `is_cancelled` is also asked while nothing comes; true ends the answer with kModelCancelled.
    explicit BlockingModel(model::AsyncModel& model, std::function<bool()> is_cancelled = {})
        : model_(model), is_cancelled_(std::move(is_cancelled)) {}

    using Model::answer;
    base::Result<model::Reply> answer(const model::Request& request,
                                      const model::OnPiece& on_piece) override;
    [[nodiscard]] bool takes_tools() const override { return model_.takes_tools(); }

  private:
    model::AsyncModel& model_;
    std::function<bool()> is_cancelled_;
};

}  // namespace arbiter::openai
