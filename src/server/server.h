// Server: the API over HTTP. Every request passes the same way: admission, rate limit, route,
// scope, handler; with one line in the log and one count in the metrics at its end.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

#include "net/server.h"
#include "server/access.h"
#include "server/host.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/rate_limits.h"
#include "server/routes.h"

namespace arbiter::server {

// Borrowed; they outlive the server.
struct ServerParts {
    net::Loops& loops;
    Host& host;
    const Access& access;
    RateLimits& limits;
    Log& log;
    base::Language language = base::Language::kEnglish;
};

class Server {
  public:
    // Fails like net::Server::listen().
    static base::Result<std::unique_ptr<Server>> listen(ServerParts parts,
                                                        const net::Address& address,
                                                        net::ServerOptions options);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    [[nodiscard]] std::uint16_t port() const noexcept { return http_->port(); }
    // Refuses new requests, ends the streams of viewers, and lets turns finish until the deadline;
    // the others are cancelled and change nothing. Blocks.
    void drain(std::chrono::milliseconds deadline);

  private:
    struct Answering;
    explicit Server(ServerParts parts);

    void take(std::shared_ptr<net::Exchange> exchange);
    void run(const std::shared_ptr<Answering>& answering);
    [[nodiscard]] std::string next_request_id();
    // The answer to a request if there is more to do than can be done. Cheap: it is called for
    // many.
    [[nodiscard]] std::optional<net::Response> refuse_when_overloaded(const net::Request& head);
    // One line of the log for all that were refused since the last.
    void report_refused();

    ServerParts parts_;
    const std::string id_prefix_;  // differs from server to server
    std::atomic<std::uint64_t> requests_ = 0;
    std::atomic<bool> is_stopping_ = false;
    // Refusals of overload, made once.
    const net::Response overloaded_;
    const net::Response overloaded_chat_;
    std::atomic<std::uint64_t> refused_ = 0;  // of them, not yet in the log
    std::mutex reporting_;                    // for report_
    std::unique_ptr<net::Server> http_;
    std::atomic<const net::Server*> listening_ = nullptr;  // http_, for requests
    std::unique_ptr<net::Loop::Timer> report_;             // of refused_
};

}  // namespace arbiter::server
