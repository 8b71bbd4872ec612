#include "server/keep_alive.h"

namespace arbiter::server {

net::Response stream_head() {
    net::Response head;
    head.headers.add("Content-Type", "text/event-stream");
    head.headers.add("Cache-Control", "no-store");
    // Asks reverse proxies not to gather the stream.
    head.headers.add("X-Accel-Buffering", "no");
    return head;
}

// Used on the loop of the exchange only.
struct KeepAlive::State : std::enable_shared_from_this<State> {
    explicit State(std::shared_ptr<net::Exchange> of) : exchange(std::move(of)) {}

    void wait() {
        timer = exchange->loop().after(kKeepAliveInterval, [weak = weak_from_this()] {
            if (const auto self = weak.lock(); self != nullptr && !self->exchange->is_gone()) {
                self->exchange->send(": waiting\n\n");
                self->wait();
            }
        });
    }

    std::shared_ptr<net::Exchange> exchange;
    std::unique_ptr<net::Loop::Timer> timer;
};

KeepAlive::KeepAlive(std::shared_ptr<net::Exchange> exchange)
    : state_(std::make_shared<State>(std::move(exchange))) {
    state_->exchange->loop().post([state = state_] { state->wait(); });
}

KeepAlive::~KeepAlive() {
    // The timer belongs to the loop.
    state_->exchange->loop().post([state = state_] { state->timer.reset(); });
}

}  // namespace arbiter::server
