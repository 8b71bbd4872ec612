#include "server/event_route.h"

#include <set>

#include "net/sse.h"
#include "server/errors.h"
#include "server/keep_alive.h"
#include "value/json.h"

namespace arbiter::server {

namespace {

// Bytes that wait for a viewer before it misses drafts.
constexpr std::size_t kUnsentForDrafts = std::size_t{256} << 10;

class Watch {
  public:
    // `ahead`: turns that another server sent to the viewer and this one has yet to find.
    Watch(std::shared_ptr<net::Exchange> exchange, const std::vector<ledger::TurnId>& ahead)
        : exchange_(std::move(exchange)), keep_alive_(exchange_) {
        if (!ahead.empty()) {
            newest_ = ahead.front().hex();
        }
        for (const ledger::TurnId& each : ahead) {
            known_.insert(each.hex());
        }
    }

    void take(const Event& event) {
        if (event.type == Events::kClosing) {
            exchange_->end();
            return;
        }
        if (event.id.empty() ? exchange_->unsent() > kUnsentForDrafts : is_known(event)) {
            return;
        }
        exchange_->send(
            net::print_event({event.type, value::print_json(event.data.get()), event.id}));
    }
    void keep(std::shared_ptr<Events::Subscription> subscription) {
        subscription_ = std::move(subscription);
    }
    void leave() { subscription_.reset(); }

  private:
    bool is_known(const Event& event) {
        if (!known_.contains(event.id)) {
            known_.clear();
            return false;
        }
        if (event.id == newest_ && event.type == "head") {
            known_.clear();
        }
        return true;
    }

    std::shared_ptr<net::Exchange> exchange_;
    KeepAlive keep_alive_;
    std::shared_ptr<Events::Subscription> subscription_;
    std::string newest_;
    std::set<std::string> known_;
};

void begin_watch(Host& host, const EventOrder& order, const campaign::Session& session,
                 const std::shared_ptr<net::Exchange>& exchange) {
    const auto last = order.last_event ? ledger::TurnId::from_hex(*order.last_event) : std::nullopt;
    auto missed = last ? missed_events(session, *last)
                       : base::Result<MissedEvents>({{head_event(session)}, {}});
    if (!missed) {
        missed = MissedEvents{{head_event(session)}, {}};
    }
    exchange->begin_stream(stream_head());
    const auto watch = std::make_shared<Watch>(exchange, missed->ahead);
    for (const Event& each : missed->events) {
        watch->take(each);
    }
    watch->keep(
        host.events().subscribe(order.campaign, [weak = std::weak_ptr(watch)](const Event& event) {
            if (const auto watching = weak.lock()) {
                watching->take(event);
            }
        }));
    exchange->on_gone([watch] { watch->leave(); });
}

}  // namespace

void watch_events(Host& host, const EventOrder& order,
                  const std::shared_ptr<net::Exchange>& exchange) {
    auto session = host.session(order.campaign);
    if (!session) {
        exchange->respond(error_response(session.error()));
        return;
    }
    host.between_events(order.campaign, [&host, order, session = *std::move(session), exchange] {
        begin_watch(host, order, *session, exchange);
    });
}

namespace {

void get_events(Host& host, ApiCall call, std::shared_ptr<net::Exchange> exchange) {
    EventOrder order{call.campaign()};
    if (const std::string* last = call.headers.find("Last-Event-ID")) {
        order.last_event = *last;
    } else if (call.asks("last_event_id")) {
        order.last_event = std::string(call.asked("last_event_id"));
    }
    watch_events(host, order, exchange);
}

constexpr QueryParameter kQuery[] = {
    {"last_event_id", "string",
     "The id of the last event; the header Last-Event-ID counts first."}};

constexpr Route kRoutes[] = {
    {.method = "GET",
     .pattern = "/api/v1/campaigns/{id}/events",
     .scope = Scope::kRead,
     .runs = Runs::kExchange,
     .summary = "The changes of the campaign as a stream of events: turn, head, settings, edit, "
                "draft, withdrawn, deleted.",
     .exchange = get_events,
     .answer_type = "text/event-stream",
     .query = kQuery},
};

}  // namespace

std::span<const Route> event_routes() {
    return kRoutes;
}

}  // namespace arbiter::server
