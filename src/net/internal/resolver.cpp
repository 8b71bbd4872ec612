#include "net/internal/resolver.h"

#include <netdb.h>
#include <netinet/in.h>

#include <array>
#include <cstring>
#include <utility>

namespace arbiter::net::internal {
namespace {

struct FreeAddresses {
    void operator()(addrinfo* list) const { freeaddrinfo(list); }
};

std::vector<Endpoint> look_up(const std::string& host, std::uint16_t port, int flags) {
    addrinfo hints{};
    hints.ai_flags = flags | AI_NUMERICSERV;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* list = nullptr;
    const int failure = getaddrinfo(host.empty() ? nullptr : host.c_str(),
                                    std::to_string(port).c_str(), &hints, &list);
    const std::unique_ptr<addrinfo, FreeAddresses> found(failure == 0 ? list : nullptr);
    std::vector<Endpoint> endpoints;
    for (const addrinfo* each = found.get(); each != nullptr; each = each->ai_next) {
        Endpoint& endpoint = endpoints.emplace_back();
        std::memcpy(&endpoint.address, each->ai_addr, each->ai_addrlen);
        endpoint.size = each->ai_addrlen;
    }
    return endpoints;
}

}  // namespace

std::string host_of(const Endpoint& endpoint) {
    Endpoint shown = endpoint;
    sockaddr_in6 v6{};
    std::memcpy(&v6, &endpoint.address, sizeof v6);
    if (v6.sin6_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr)) {
        constexpr std::size_t kPrefix = 12;  // bytes before the IPv4 address
        sockaddr_in v4{};
        v4.sin_family = AF_INET;
        std::memcpy(&v4.sin_addr, v6.sin6_addr.s6_addr + kPrefix, sizeof v4.sin_addr);
        std::memcpy(&shown.address, &v4, sizeof v4);
        shown.size = sizeof v4;
    }
    std::array<char, NI_MAXHOST> text{};
    const int failure = getnameinfo(reinterpret_cast<const sockaddr*>(&shown.address), shown.size,
                                    text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
    return failure == 0 ? text.data() : "";
}

std::uint16_t port_of(const Endpoint& endpoint) {
    // The port stands at the same place in both families.
    sockaddr_in address{};
    std::memcpy(&address, &endpoint.address, sizeof address);
    return ntohs(address.sin_port);
}

std::vector<Endpoint> address_of_literal(const std::string& host, std::uint16_t port) {
    return look_up(host, port, AI_NUMERICHOST);
}

std::vector<Endpoint> addresses_to_listen(const std::string& host, std::uint16_t port) {
    return look_up(host, port, AI_PASSIVE);
}

Resolver::Resolver() : thread_([this] { run(); }) {}

Resolver::~Resolver() {
    {
        const std::lock_guard lock(mutex_);
        is_stopped_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void Resolver::find(std::string host, std::uint16_t port, std::weak_ptr<void> asker,
                    OnFound on_found) {
    {
        const std::lock_guard lock(mutex_);
        names_.push_back({std::move(host), port, std::move(asker), std::move(on_found)});
    }
    changed_.notify_one();
}

void Resolver::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return is_stopped_ || !names_.empty(); });
        if (is_stopped_) {
            return;
        }
        const Name name = std::move(names_.front());
        names_.pop_front();
        lock.unlock();
        if (!name.asker.expired()) {
            name.on_found(look_up(name.host, name.port, 0));
        }
        lock.lock();
    }
}

}  // namespace arbiter::net::internal
