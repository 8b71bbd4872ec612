// KeepAlive: a comment in an event stream from time to time, so that proxies and clients do not
// give up while nothing happens.
#pragma once

#include <chrono>
#include <memory>

#include "net/server.h"

namespace arbiter::server {

inline constexpr std::chrono::seconds kKeepAliveInterval{10};

// The head of an event stream.
net::Response stream_head();

class KeepAlive {
  public:
    explicit KeepAlive(std::shared_ptr<net::Exchange> exchange);
    KeepAlive(const KeepAlive&) = delete;
    KeepAlive& operator=(const KeepAlive&) = delete;
    ~KeepAlive();

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace arbiter::server
