// ClientModel: a model asked on behalf of a client of chat completions. Adds the client's
// parameters and tools to each request, and keeps calls of the client's tools apart: they are its
// business.
//
// For one turn. Used on the executor of the turn.
#pragma once

#include <memory>
#include <vector>

#include "chat/client_request.h"
#include "model/async_model.h"

namespace arbiter::server {

class ClientModel final : public model::AsyncModel {
  public:
    // `client` is borrowed. `loop` is that of its connection: pieces need not change threads then.
    ClientModel(std::shared_ptr<model::AsyncModel> model, const chat::ClientRequest& client,
                std::size_t loop)
        : model_(std::move(model)), client_(client), loop_(loop) {}

    [[nodiscard]] std::unique_ptr<model::PendingAnswer> ask(model::Request request,
                                                            model::AnswerCallbacks callbacks,
                                                            model::Post post) override;
    [[nodiscard]] bool takes_tools() const override { return model_->takes_tools(); }

    // ---- of the answers so far
    [[nodiscard]] model::Finish finish() const noexcept { return finish_; }
    [[nodiscard]] const model::Usage& usage() const noexcept { return usage_; }
    [[nodiscard]] const std::vector<prompt::NativeToolCall>& client_calls() const noexcept {
        return client_calls_;
    }

  private:
    void note(model::Reply& reply);

    std::shared_ptr<model::AsyncModel> model_;
    const chat::ClientRequest& client_;
    std::size_t loop_;
    model::Finish finish_ = model::Finish::kStop;
    model::Usage usage_;
    std::vector<prompt::NativeToolCall> client_calls_;  // of the last answer
};

}  // namespace arbiter::server
