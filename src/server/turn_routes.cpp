#include "server/turn_routes.h"

#include "campaign/running_turn.h"
#include "net/sse.h"
#include "server/errors.h"
#include "server/keep_alive.h"
#include "server/turn_answer.h"
#include "value/json.h"

namespace arbiter::server {

using base::ErrorCode;
using base::Result;
using campaign::Session;
using turn::TurnResult;
using value::Object;
using value::Value;

namespace {

// Another writer may move the head while the model answers; the turn is played again from there. Of
// two busy servers on one campaign, the one that has to follow first loses more often than not.
constexpr int kHeadMovesMax = 16;

class PlayedTurn : public std::enable_shared_from_this<PlayedTurn> {
  public:
    PlayedTurn(Host& host, TurnOrder order, std::shared_ptr<net::Exchange> exchange,
               std::shared_ptr<model::AsyncModel> model, std::shared_ptr<Session> session)
        : host_(host),
          order_(std::move(order)),
          exchange_(std::move(exchange)),
          model_(std::move(model)),
          session_(std::move(session)) {}

    void begin(const model::Post& post, Host::Done done) {
        post_ = post;
        done_ = std::move(done);
        if (exchange_->is_gone()) {
            finish();
            return;
        }
        if (order_.is_streamed) {
            exchange_->begin_stream(stream_head());
            keep_alive_.emplace(exchange_);
        }
        exchange_->on_gone([self = shared_from_this()] {
            self->post_([self] {
                self->is_gone_ = true;
                if (self->cancel_) {
                    self->cancel_();
                }
            });
        });
        play();
    }

  private:
    void play() {
        if (auto prepared = prepare(); !prepared) {
            answer(std::unexpected(std::move(prepared).error()));
            return;
        }
        turn::TurnRequest request;
        request.said = order_.said;
        request.hint = order_.hint;
        request.now = host_.now();
        request.shows_drafts = order_.shows_drafts;
        const auto self = shared_from_this();
        cancel_ = campaign::start_turn(
            played(), std::move(request), order_.condition,
            {*model_, host_.committer(), post_,
             [self](const table::PlayerText& text) { self->show(text); },
             [self](std::int64_t attempt, const Value&) { self->withdraw(attempt); },
             [self](Result<TurnResult> result) { self->take(std::move(result)); }});
    }

    // Follows other writers, and goes to the turn before the one that is played again.
    Result<> prepare() {
        if (auto fresh = session_->refresh(); !fresh) {
            return std::unexpected(std::move(fresh).error());
        }
        if (!order_.again) {
            return {};
        }
        const ledger::Campaign campaign = session_->campaign();
        auto target = order_.again->empty() ? newest_turn(campaign) : campaign.find(*order_.again);
        const auto record =
            target ? campaign.record(*target) : std::unexpected(std::move(target).error());
        if (!record) {
            return std::unexpected(record.error());
        }
        if (!record->parent || record->edit) {
            return base::fail(ErrorCode::kTurnUnknown,
                              {order_.again->empty() ? "1" : *order_.again});
        }
        order_.said = record->said;
        auto opened = Session::open_at(host_.store(), order_.campaign, *record->parent,
                                       host_.options().session);
        if (!opened) {
            return std::unexpected(std::move(opened).error());
        }
        again_ = *std::move(opened);
        return {};
    }

    // Edits, such as a changed setting, are not turns of the story; changes by the player's hand
    // have no reply.
    static Result<ledger::TurnId> newest_turn(const ledger::Campaign& campaign) {
        std::optional<ledger::TurnId> found;
        auto visited = campaign.visit_back(campaign.head(), ledger::Store::Content::kWhole,
                                           [&](const ledger::TurnRow& row) -> Result<bool> {
                                               const auto record = campaign.replay_inputs_of(row);
                                               if (!record) {
                                                   return std::unexpected(record.error());
                                               }
                                               const bool is_reply =
                                                   record->actor == engine::Actor::kModel;
                                               if (!record->edit && record->parent && is_reply) {
                                                   found = row.id;
                                               }
                                               return !found;
                                           });
        if (!visited) {
            return std::unexpected(std::move(visited).error());
        }
        return found ? Result<ledger::TurnId>(*found) : base::fail(ErrorCode::kTurnUnknown, {"1"});
    }

    [[nodiscard]] Session& played() { return again_ != nullptr ? *again_ : *session_; }

    void show(const table::PlayerText& text) {
        const Value data = Object{{"text", std::string_view(text.str())}};
        if (order_.is_streamed) {
            send("draft", data);
        }
        if (host_.events().has_viewers(order_.campaign)) {
            host_.events().publish(order_.campaign, {"draft", {}, played().redactor().value(data)});
        }
    }
    void withdraw(std::int64_t attempt) {
        const Value data = Object{{"attempt", attempt}};
        if (order_.is_streamed) {
            send("withdrawn", data);
        }
        if (host_.events().has_viewers(order_.campaign)) {
            host_.events().publish(order_.campaign,
                                   {"withdrawn", {}, played().redactor().value(data)});
        }
    }

    void take(Result<TurnResult> result) {
        cancel_ = {};
        const bool has_moved = !result && result.error().code == ErrorCode::kHeadMoved;
        if (has_moved && !is_gone_ && !order_.condition.after && ++head_moves_ <= kHeadMovesMax) {
            play();
            return;
        }
        if (again_ != nullptr && result) {
            // The session that viewers read goes to the new turn.
            (void)session_->refresh();
        }
        host_.note(result, order_.campaign, order_.request_id, began_);
        if (result && result->status == turn::Status::kReported) {
            host_.keep_withheld(order_.campaign, {*result, order_.said});
        }
        answer(std::move(result));
    }

    void answer(Result<TurnResult> result) {
        if (!result) {
            net::Response error = error_response(
                redacted(std::move(result).error(), played().redactor(order_.viewer)));
            if (order_.is_streamed) {
                const std::string_view body = error.body;
                end_stream("error", body.substr(0, body.find_last_not_of('\n') + 1));
            } else {
                exchange_->respond(std::move(error));
            }
            finish();
            return;
        }
        const std::string shown =
            value::print_json(Value(Object{{"text", std::string_view(result->shown.str())}}));
        const std::string body =
            value::print_json(turn_answer(played(), *std::move(result), order_.viewer).get());
        if (order_.is_streamed) {
            send_text("shown", shown);
            end_stream("done", body);
        } else {
            net::Response response;
            response.headers.add("Content-Type", "application/json");
            response.body = body;
            exchange_->respond(std::move(response));
        }
        finish();
    }

    void send(std::string_view type, const Value& data) {
        send_text(type, value::print_json(data));
    }
    void send_text(std::string_view type, std::string_view data) {
        exchange_->send(net::print_event({std::string(type), std::string(data), {}}));
    }
    void end_stream(std::string_view type, std::string_view data) {
        keep_alive_.reset();
        send_text(type, data);
        exchange_->end();
    }

    void finish() {
        again_.reset();
        const auto done = std::move(done_);
        done();
    }

    Host& host_;
    TurnOrder order_;
    std::shared_ptr<net::Exchange> exchange_;
    std::shared_ptr<model::AsyncModel> model_;
    std::shared_ptr<Session> session_;
    std::unique_ptr<Session> again_;  // at the turn before the one that is played again
    model::Post post_;
    Host::Done done_;
    std::function<void()> cancel_;
    std::optional<KeepAlive> keep_alive_;
    const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    bool is_gone_ = false;
    int head_moves_ = 0;
};

}  // namespace

void play_turn(Host& host, TurnOrder order, const std::shared_ptr<net::Exchange>& exchange) {
    auto model = host.model(order.campaign);
    if (model == nullptr) {
        exchange->respond(error_response(base::Error(ErrorCode::kNoModel)));
        return;
    }
    auto session = host.session(order.campaign);
    if (!session) {
        exchange->respond(error_response(session.error()));
        return;
    }
    const std::string campaign = order.campaign;
    const auto turn = std::make_shared<PlayedTurn>(host, std::move(order), exchange,
                                                   std::move(model), *std::move(session));
    const bool is_queued = host.enqueue(campaign, [turn](const model::Post& post, Host::Done done) {
        turn->begin(post, std::move(done));
    });
    if (!is_queued) {
        exchange->respond(error_response(base::Error(ErrorCode::kOverloaded)));
    }
}

namespace {

TurnOrder order_of(const ApiCall& call) {
    TurnOrder order;
    order.campaign = call.campaign();
    order.is_streamed = call.flag("stream");
    order.shows_drafts = call.flag("drafts");
    order.condition.key = call.idempotency_key();
    order.viewer = call.viewer();
    order.request_id = call.request_id;
    return order;
}

void post_turn(Host& host, ApiCall call, std::shared_ptr<net::Exchange> exchange) {
    TurnOrder order = order_of(call);
    order.said = call.text("said");
    if (call.has("after")) {
        order.condition.after = ledger::TurnId::from_hex(call.text("after"));
        if (!order.condition.after) {
            exchange->respond(error_response(base::Error(
                ErrorCode::kBadParameter, {"after", call.text("after"), "the id of a turn"})));
            return;
        }
    }
    play_turn(host, std::move(order), exchange);
}

void post_reroll(Host& host, ApiCall call, std::shared_ptr<net::Exchange> exchange) {
    TurnOrder order = order_of(call);
    order.again = call.text("turn");
    order.hint = call.text("hint");
    play_turn(host, std::move(order), exchange);
}

constexpr Route kRoutes[] = {
    {.method = "POST",
     .pattern = "/api/v1/campaigns/{id}/turns",
     .scope = Scope::kPlay,
     .runs = Runs::kExchange,
     .summary = "Plays a turn with the model. With `stream`, the answer is a stream of events: "
                "draft, withdrawn, shown, done (the same object), error.",
     .exchange = post_turn,
     .answer = "TurnAnswer",
     .body = RequestBody::kJson,
     .request = "TurnRequest"},
    {.method = "POST",
     .pattern = "/api/v1/campaigns/{id}/reroll",
     .scope = Scope::kPlay,
     .runs = Runs::kExchange,
     .summary = "Plays a turn again. The new one is a sibling of the old one, which stays.",
     .exchange = post_reroll,
     .answer = "TurnAnswer",
     .body = RequestBody::kJson,
     .request = "RerollRequest"},
};

}  // namespace

std::span<const Route> turn_routes() {
    return kRoutes;
}

}  // namespace arbiter::server
