#include "net/internal/pool.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace arbiter::net::internal {
namespace {

// Shorter than the patience of most servers, which close idle connections after 75 s or less.
constexpr std::chrono::seconds kIdleTime{60};

}  // namespace

std::optional<Socket> Pool::take(const std::string& server) {
    const auto found = idle_.find(server);
    if (found == idle_.end() || found->second.empty()) {
        return std::nullopt;
    }
    // An empty list stays: its connection comes back soon.
    const std::shared_ptr<Idle> last = std::move(found->second.back());
    found->second.pop_back();
    last->socket.forget();
    return std::move(last->socket);
}

void Pool::put(const std::string& server, Socket socket) {
    std::vector<std::shared_ptr<Idle>>& list = idle_[server];
    if (list.size() >= per_server_max_) {
        if (list.empty()) {
            idle_.erase(server);
        }
        socket.close();
        return;
    }
    auto idle = std::make_shared<Idle>(std::move(socket));
    list.push_back(idle);
    idle->socket.when_readable([this, server, raw = idle.get()] { drop(server, raw); });
    idle->expiry = loop_.after(kIdleTime, [this, server, raw = idle.get()] { drop(server, raw); });
}

void Pool::drop(const std::string& server, const Idle* idle) {
    const auto found = idle_.find(server);
    if (found == idle_.end()) {
        return;
    }
    std::vector<std::shared_ptr<Idle>>& list = found->second;
    const auto position = std::ranges::find(list, idle, &std::shared_ptr<Idle>::get);
    if (position == list.end()) {
        return;
    }
    const std::shared_ptr<Idle> dropped = std::move(*position);
    list.erase(position);
    if (list.empty()) {
        idle_.erase(found);
    }
    dropped->socket.close();
}

}  // namespace arbiter::net::internal
