// Pool: connections that wait for their next request, by server. Used on the loop's thread.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/internal/socket.h"
#include "net/loop.h"

namespace arbiter::net::internal {

class Pool {
  public:
    Pool(Loop& loop, std::size_t per_server_max) : loop_(loop), per_server_max_(per_server_max) {}
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    // The connection that was used last; nothing if none is idle.
    std::optional<Socket> take(const std::string& server);
    // Closed when the peer closes it or sends anything, after a time, and when the pool is full.
    void put(const std::string& server, Socket socket);

  private:
    struct Idle {
        Socket socket;
        std::unique_ptr<Loop::Timer> expiry = {};
    };
    void drop(const std::string& server, const Idle* idle);

    Loop& loop_;
    std::size_t per_server_max_;
    std::map<std::string, std::vector<std::shared_ptr<Idle>>, std::less<>> idle_;
};

}  // namespace arbiter::net::internal
