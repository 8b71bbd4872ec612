// Network addresses of hosts. Asking a name server blocks, so a thread of its own does it.
#pragma once

#include <sys/socket.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace arbiter::net::internal {

struct Endpoint {
    sockaddr_storage address{};
    socklen_t size = sizeof(sockaddr_storage);
};

// The address without its port; an IPv4 address in an IPv6 socket is shown as IPv4.
std::string host_of(const Endpoint& endpoint);
std::uint16_t port_of(const Endpoint& endpoint);

// Empty if there is none.
std::vector<Endpoint> address_of_literal(const std::string& host, std::uint16_t port);
std::vector<Endpoint> addresses_to_listen(const std::string& host, std::uint16_t port);

// Thread safety: any thread may ask.
class Resolver {
  public:
    using OnFound = std::function<void(std::vector<Endpoint>)>;  // empty: the name is unknown

    Resolver();
    Resolver(const Resolver&) = delete;
    Resolver& operator=(const Resolver&) = delete;
    // Drops the names that were not asked for; waits for the answer to the last one.
    ~Resolver();

    // Calls back on a thread of the resolver, unless `asker` is gone before its turn comes.
    void find(std::string host, std::uint16_t port, std::weak_ptr<void> asker, OnFound on_found);

  private:
    struct Name {
        std::string host;
        std::uint16_t port = 0;
        std::weak_ptr<void> asker;
        OnFound on_found;
    };
    void run();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Name> names_;
    bool is_stopped_ = false;
    std::thread thread_;
};

}  // namespace arbiter::net::internal
