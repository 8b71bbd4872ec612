#include "server/client_model.h"

#include <algorithm>

namespace arbiter::server {

namespace {

// The name of a campaign in place of a model: the upstream chooses.
constexpr std::string_view kCampaignModel = "campaign:";

}  // namespace

std::unique_ptr<model::PendingAnswer> ClientModel::ask(model::Request request,
                                                       model::AnswerCallbacks callbacks,
                                                       model::Post post) {
    request.sampling.more =
        client_.model.starts_with(kCampaignModel) ? client_.more.erase("model") : client_.more;
    request.loop = loop_;
    request.tools.insert(request.tools.end(), client_.tools.begin(), client_.tools.end());
    auto on_done = std::move(callbacks.on_done);
    callbacks.on_done = [this, on_done = std::move(on_done)](base::Result<model::Reply> reply) {
        if (reply) {
            note(*reply);
        }
        on_done(std::move(reply));
    };
    return model_->ask(std::move(request), std::move(callbacks), std::move(post));
}

void ClientModel::note(model::Reply& reply) {
    finish_ = reply.finish;
    usage_.prompt += reply.usage.prompt;
    usage_.completion += reply.usage.completion;
    std::vector<prompt::NativeToolCall> ours;
    client_calls_.clear();
    for (prompt::NativeToolCall& call : reply.tool_calls) {
        const bool is_of_client =
            std::ranges::find(client_.tools, call.name, &table::ToolSchema::name) !=
            client_.tools.end();
        (is_of_client ? client_calls_ : ours).push_back(std::move(call));
    }
    reply.tool_calls = std::move(ours);
}

}  // namespace arbiter::server
