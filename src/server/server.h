// Server: the API over HTTP. Every request passes the same way: admission, rate limit, route,
// scope, handler; with one line in the log and one count in the metrics at its end.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>

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

    ServerParts parts_;
    const std::string id_prefix_;  // differs from server to server
    std::atomic<std::uint64_t> requests_ = 0;
    std::atomic<bool> is_stopping_ = false;
    std::unique_ptr<net::Server> http_;
    std::atomic<const net::Server*> listening_ = nullptr;  // http_, for requests
};

}  // namespace arbiter::server
