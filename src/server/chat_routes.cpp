#include "server/chat_routes.h"

#include "net/client.h"
#include "openai/endpoint.h"
#include "openai/failure.h"
#include "server/chat_answer.h"
#include "server/chat_start.h"
#include "server/chat_turn.h"
#include "server/errors.h"
#include "server/host.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::server {

using base::ErrorCode;
using base::Result;
using value::Array;
using value::Object;
using value::Value;

namespace {

// Chooses a campaign in a client that only knows models.
constexpr std::string_view kCampaignModel = "campaign:";

Result<chat::ClientRequest> request_of(const ApiCall& call) {
    const auto body = value::parse_json(call.bytes);
    if (!body) {
        return std::unexpected(body.error());
    }
    auto request = chat::parse_client_request(*body);
    if (!request) {
        return request;
    }
    for (const net::Header& each : call.headers) {
        request->take_header(each.name, each.value);
    }
    if (call.parameters.contains("id")) {
        request->campaign = call.campaign();
    } else if (request->campaign.empty() && request->model.starts_with(kCampaignModel)) {
        request->campaign = request->model.substr(kCampaignModel.size());
    }
    return request;
}

Result<std::string> create(Host& host, const ApiCall& call, const chat::ClientRequest& request) {
    if (!call.principal.may(Scope::kPlay)) {
        return base::fail(ErrorCode::kScopeMissing, {std::string(name(Scope::kPlay))});
    }
    auto id = start_from_chat(host.store(), host.options().session, request.messages, call.now);
    if (id) {
        auto kept = host.gateway().remember(*id, leading_system_text(request.messages),
                                            request.hints->chat);
        if (!kept) {
            return std::unexpected(std::move(kept).error());
        }
    }
    return id;
}

// The campaign that the request belongs to. Empty: a question that belongs to none.
Result<std::string> campaign_of(Host& host, const ApiCall& call,
                                const chat::ClientRequest& request) {
    const auto may_play = [&](std::string_view id) { return call.principal.may(Scope::kPlay, id); };
    if (!request.campaign.empty()) {
        const std::string& id = request.campaign;
        if (may_play(id)) {
            return id;
        }
        return call.principal.sees(id)
                   ? base::fail(ErrorCode::kScopeMissing, {std::string(name(Scope::kPlay))})
                   : base::fail(ErrorCode::kCampaignUnknown, {id});
    }
    if (!request.hints->chat.empty()) {
        auto known = host.gateway().campaign_of_chat(request.hints->chat);
        if (!known) {
            return std::unexpected(std::move(known).error());
        }
        if (*known && may_play(**known)) {
            return **std::move(known);
        }
    }
    const chat::History history = chat::read_history(request.messages, request.hints->generation);
    auto found =
        host.gateway().find_campaign(history, leading_system_text(request.messages), may_play);
    if (!found) {
        return std::unexpected(std::move(found).error());
    }
    if (*found) {
        return **std::move(found);
    }
    const bool is_quiet = history.generation == chat::Generation::kQuiet ||
                          history.generation == chat::Generation::kImpersonate;
    return is_quiet ? Result<std::string>(std::string()) : create(host, call, request);
}

// The key that the client sent; without tokens it is not ours, so it is meant for the model server.
std::string forwarded_key(const ApiCall& call) {
    constexpr std::string_view kBearer = "Bearer ";
    const std::string* field = call.headers.find("authorization");
    const bool is_ours = !call.principal.token.empty();
    return field != nullptr && !is_ours && field->starts_with(kBearer)
               ? field->substr(kBearer.size())
               : std::string();
}

std::shared_ptr<model::AsyncModel> model_for(Host& host, const ApiCall& call,
                                             const std::string& campaign) {
    const std::string key = forwarded_key(call);
    auto upstream = host.upstream();
    const bool is_own = host.model(campaign) != host.model("");
    if (!key.empty() && upstream && upstream->key.empty() && !is_own) {
        return host.gateway().model_with_key(host.loops(), *std::move(upstream), key);
    }
    return host.model(campaign);
}

// Reading a request and building its prompt takes longer than the way to a worker thread beyond it.
bool is_quick(Host& host, std::string_view campaign, const net::Request& request) {
    constexpr std::size_t kQuickBytesMax = std::size_t{16} << 10;
    if (request.body.size() > kQuickBytesMax) {
        return false;
    }
    const auto session = host.open_session(campaign);
    return session != nullptr && host.gateway().is_quick(campaign, session->head());
}

void post_chat(Host& host, ApiCall call, std::shared_ptr<net::Exchange> exchange) {
    ChatOrder order;
    auto request = request_of(call);
    if (!request) {
        exchange->respond(chat_error_response(request.error()));
        return;
    }
    order.request = *std::move(request);
    exchange->free_request();
    order.request_id = call.request_id;
    if (host.model(order.request.campaign) == nullptr) {
        exchange->respond(chat_error_response(base::Error(ErrorCode::kNoModel)));
        return;
    }
    auto campaign = campaign_of(host, call, order.request);
    if (!campaign) {
        exchange->respond(chat_error_response(campaign.error()));
        return;
    }
    order.request.campaign = *std::move(campaign);
    order.model = model_for(host, call, order.request.campaign);
    play_chat(host, std::move(order), exchange);
}

// ---- models

Object model_value(std::string_view id, engine::Instant created, std::string_view owner) {
    return {{"id", id}, {"object", "model"}, {"created", created / 1000}, {"owned_by", owner}};
}

net::Response get_models(Host& host, const ApiCall& call) {
    Array models;
    const auto upstream = host.upstream();
    if (upstream && !upstream->model.empty()) {
        models = std::move(models).push_back(model_value(upstream->model, host.now(), "upstream"));
    }
    const auto rows = host.store().campaigns();
    if (!rows) {
        return chat_error_response(rows.error());
    }
    for (const ledger::CampaignRow& each : *rows) {
        const bool is_asked = !call.parameters.contains("id") || call.campaign() == each.id;
        if (is_asked && call.principal.sees(each.id)) {
            models = std::move(models).push_back(
                model_value(std::string(kCampaignModel) + each.id, each.created, "arbiter"));
        }
    }
    return public_response(200, Object{{"object", "list"}, {"data", std::move(models)}});
}

// ---- completions: passed on as they are

class PassedOn : public std::enable_shared_from_this<PassedOn> {
  public:
    PassedOn(std::shared_ptr<net::Exchange> exchange, openai::Upstream upstream)
        : exchange_(std::move(exchange)), upstream_(std::move(upstream)) {}

    // On the loop of the exchange.
    void start(std::string body) {
        client_ = std::make_unique<net::Client>(exchange_->loop(), upstream_.connection);
        net::ClientRequest request;
        request.url = openai::url_below(upstream_.url, "/completions");
        request.headers = openai::headers_for(upstream_);
        request.headers.set("Content-Type", "application/json");
        request.body = std::move(body);
        const auto self = shared_from_this();
        call_ = client_->start(std::move(request),
                               {[self](const net::ResponseHead& head) { self->take_head(head); },
                                [self](std::string_view bytes) { self->exchange_->send(bytes); },
                                [self](Result<> ended) { self->end(ended); }});
        exchange_->on_gone([self] { self->call_.reset(); });
    }

  private:
    void take_head(const net::ResponseHead& head) {
        has_begun_ = true;
        net::Response response;
        response.status = head.status;
        response.reason = head.reason;
        if (const std::string* type = head.headers.find("content-type")) {
            response.headers.add("Content-Type", *type);
        }
        exchange_->begin_stream(std::move(response));
    }
    void end(const Result<>& ended) {
        if (has_begun_) {
            exchange_->end();
        } else if (!ended) {
            exchange_->respond(chat_error_response(
                openai::error_of_connection(ended.error(), upstream_.key.reveal())));
        }
        call_.reset();
    }

    std::shared_ptr<net::Exchange> exchange_;
    openai::Upstream upstream_;
    std::unique_ptr<net::Client> client_;
    std::unique_ptr<net::Call> call_;
    bool has_begun_ = false;
};

// The name of a campaign in place of a model means nothing to a model server.
std::string completion_body(std::string bytes, const openai::Upstream& upstream) {
    const auto body = value::parse_json(bytes);
    const Value* model = body ? value::find_member(&*body, "model") : nullptr;
    if (model == nullptr || !model->is_string() ||
        !model->as_string().starts_with(kCampaignModel)) {
        return bytes;
    }
    const Object& fields = body->as_object();
    return value::print_json(Value(upstream.model.empty()
                                       ? fields.erase("model")
                                       : fields.set("model", std::string_view(upstream.model))));
}

void post_completion(Host& host, ApiCall call, std::shared_ptr<net::Exchange> exchange) {
    auto upstream = host.upstream();
    if (!upstream) {
        exchange->respond(chat_error_response(base::Error(ErrorCode::kNoModel)));
        return;
    }
    if (const std::string key = forwarded_key(call); !key.empty() && upstream->key.empty()) {
        upstream->key = base::Secret(key);
    }
    std::string body = completion_body(std::move(call.bytes), *upstream);
    const auto passed = std::make_shared<PassedOn>(exchange, *std::move(upstream));
    exchange->loop().post(
        [passed, body = std::move(body)]() mutable { passed->start(std::move(body)); });
}

// ---- the table

constexpr std::string_view kChatSummary =
    "Chat completions in the form of OpenAI, for clients that keep the chat themselves. The "
    "history "
    "in the messages tells the turn that the reply follows.";
constexpr std::string_view kModelsSummary =
    "The models in the form of OpenAI: the one of the model server, and campaign:ID for each "
    "campaign.";
constexpr std::string_view kCompletionsSummary =
    "Text completions, passed on to the model server as they are.";

constexpr Route chat_at(std::string_view pattern, Scope scope) {
    return {.method = "POST",
            .pattern = pattern,
            .scope = scope,
            .runs = Runs::kExchange,
            .summary = kChatSummary,
            .exchange = post_chat,
            .is_quick = is_quick,
            .answer = "ChatCompletion",
            .body = RequestBody::kBytes};
}
constexpr Route models_at(std::string_view pattern) {
    return {.method = "GET",
            .pattern = pattern,
            .scope = Scope::kRead,
            .runs = Runs::kRead,
            .summary = kModelsSummary,
            .handler = get_models,
            .answer = "ModelList"};
}
constexpr Route completions_at(std::string_view pattern) {
    return {.method = "POST",
            .pattern = pattern,
            .scope = Scope::kPlay,
            .runs = Runs::kExchange,
            .summary = kCompletionsSummary,
            .exchange = post_completion,
            .answer = "TextCompletion",
            .body = RequestBody::kBytes};
}

// Without a campaign in the path, the handler checks the one that it finds.
constexpr Route kRoutes[] = {
    chat_at("/v1/chat/completions", Scope::kRead),
    chat_at("/chat/completions", Scope::kRead),
    chat_at("/c/{id}/v1/chat/completions", Scope::kPlay),
    chat_at("/c/{id}/chat/completions", Scope::kPlay),
    models_at("/v1/models"),
    models_at("/models"),
    models_at("/c/{id}/v1/models"),
    models_at("/c/{id}/models"),
    completions_at("/v1/completions"),
    completions_at("/completions"),
    completions_at("/c/{id}/v1/completions"),
    completions_at("/c/{id}/completions"),
};

}  // namespace

std::span<const Route> chat_routes() {
    return kRoutes;
}

}  // namespace arbiter::server
