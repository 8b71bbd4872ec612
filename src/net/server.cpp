#include "net/server.h"

#include <latch>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/release.h"
#include "net/internal/connection.h"

namespace arbiter::net {
namespace {

// Counts down when the work that holds it is done, or dropped by a loop that has stopped.
struct Arrival {
    std::latch& latch;
    explicit Arrival(std::latch& of) : latch(of) {}
    Arrival(const Arrival&) = delete;
    Arrival& operator=(const Arrival&) = delete;
    ~Arrival() { latch.count_down(); }
};

void run_on_all(Loops& loops, const std::function<void(Loop&)>& work) {
    std::latch done(static_cast<std::ptrdiff_t>(loops.size()));
    std::vector<char> has_run(loops.size());
    for (std::size_t index = 0; index < loops.size(); ++index) {
        CHECK(!loops.at(index).is_current());
        loops.at(index).post([&, index, arrival = std::make_shared<Arrival>(done)] {
            has_run[index] = 1;
            work(loops.at(index));
        });
    }
    done.wait();
    for (std::size_t index = 0; index < loops.size(); ++index) {
        if (has_run[index] == 0) {
            work(loops.at(index));  // it has stopped
        }
    }
}

// Applies `work` to the connections of a loop, which may leave meanwhile.
void for_each(internal::ServerState& state, const Loop& loop,
              const std::function<void(internal::Connection&)>& work) {
    const internal::ServerState::Connections connections = state.connections.at(&loop);
    for (const auto& [_, connection] : connections) {
        work(*connection);
    }
}

void stop_listening(internal::ServerState& state, const Loop& loop) {
    if (&loop == &state.loops.at(0)) {
        state.listener->close();
    }
}

}  // namespace

Exchange::Exchange(Request request, std::string peer, std::shared_ptr<internal::Answer> answer)
    : request_(std::move(request)),
      body_bytes_(request_.body.size()),
      peer_(std::move(peer)),
      answer_(std::move(answer)) {}

void Exchange::free_request() {
    base::release(request_.body);
    request_.headers = {};
}

Exchange::~Exchange() {
    answer_->abandon();
}

Loop& Exchange::loop() const {
    return answer_->loop();
}

void Exchange::add_header(std::string name, std::string value) {
    answer_->add_header(std::move(name), std::move(value));
}

int Exchange::status() const noexcept {
    return answer_->status();
}

std::size_t Exchange::bytes() const noexcept {
    return answer_->bytes();
}

void Exchange::respond(Response response) {
    answer_->respond(std::move(response));
}

void Exchange::begin_stream(Response head) {
    answer_->begin_stream(std::move(head));
}

void Exchange::send(std::string_view bytes) {
    answer_->send(bytes);
}

void Exchange::end() {
    answer_->end();
}

std::size_t Exchange::unsent() const noexcept {
    return answer_->unsent();
}

void Exchange::on_gone(std::function<void()> callback) {
    answer_->on_gone(std::move(callback));
}

bool Exchange::is_gone() const noexcept {
    return answer_->is_gone();
}

base::Result<std::unique_ptr<Server>> Server::listen(Loops& loops, const Address& address,
                                                     ServerOptions options, Handler handler) {
    auto state =
        std::make_shared<internal::ServerState>(loops, std::move(options), std::move(handler));
    if (state->options.tls) {
        auto context = internal::TlsContext::for_server(state->options.tls->certificate_chain,
                                                        state->options.tls->key);
        if (!context) {
            return std::unexpected(std::move(context.error()));
        }
        state->tls = *std::move(context);
    }
    for (std::size_t index = 0; index < loops.size(); ++index) {
        state->connections[&loops.at(index)];
    }
    auto listener = internal::Listener::open(
        loops, address, [weak = std::weak_ptr(state)](Loop& loop, internal::Socket socket) {
            if (std::shared_ptr<internal::ServerState> to = weak.lock()) {
                std::make_shared<internal::Connection>(std::move(to), loop, std::move(socket))
                    ->start();
            }
        });
    if (!listener) {
        return std::unexpected(std::move(listener.error()));
    }
    state->listener = *std::move(listener);
    state->port = state->listener->port();
    return std::unique_ptr<Server>(new Server(std::move(state)));
}

Server::Server(std::shared_ptr<internal::ServerState> state) : state_(std::move(state)) {}

Server::~Server() {
    state_->is_draining = true;
    run_on_all(state_->loops, [&](Loop& loop) {
        stop_listening(*state_, loop);
        for_each(*state_, loop, [](internal::Connection& each) { each.close(); });
    });
    // The last connection, on any loop, must not destroy it.
    state_->listener = nullptr;
}

std::uint16_t Server::port() const noexcept {
    return state_->port;
}

void Server::drain(std::chrono::milliseconds deadline) {
    state_->is_draining = true;
    run_on_all(state_->loops, [&](Loop& loop) {
        stop_listening(*state_, loop);
        for_each(*state_, loop, [](internal::Connection& each) { each.drain(); });
    });
    {
        std::unique_lock lock(state_->mutex);
        state_->closed.wait_for(lock, deadline, [&] { return state_->open == 0; });
    }
    run_on_all(state_->loops, [&](Loop& loop) {
        for_each(*state_, loop, [](internal::Connection& each) { each.close(); });
    });
}

Server::Counts Server::counts() const noexcept {
    return {.connections = state_->open,
            .exchanges = state_->exchanges,
            .accepted = state_->accepted,
            .requests = state_->requests,
            .refused = state_->refused,
            .bytes_in = state_->bytes_in,
            .bytes_out = state_->bytes_out};
}

}  // namespace arbiter::net
