// The event loop behind net/loop.h: one epoll instance and one thread.
#pragma once

#include <sys/epoll.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "net/internal/descriptor.h"
#include "net/internal/resolver.h"
#include "net/internal/watch.h"
#include "net/loop.h"

namespace arbiter::net {

struct Loop::Impl {
    internal::Descriptor epoll;
    internal::Descriptor bell;  // an eventfd: ends the loop's waiting

    std::mutex mutex;
    std::vector<std::function<void()>> posted;  // under the mutex
    bool is_stopped = false;                    // under the mutex
    // Either the loop sees `is_called` before it waits, or the caller sees that it waits and rings.
    std::atomic<bool> is_called{false};
    std::atomic<bool> is_waiting{false};

    // The rest is used on the loop's thread.
    std::span<epoll_event> reported;      // by the system, not all handled
    std::vector<internal::Watch*> ready;  // with a callback that is due; null: gone
    // Ordered by time. A stream has several, which seldom fire.
    using Clock = std::chrono::steady_clock;
    using Timers = std::multimap<Clock::time_point, std::shared_ptr<Timer::State>>;
    Timers timers;
    std::unique_ptr<internal::Resolver> resolver;  // made by the first name

    std::thread thread;
};

}  // namespace arbiter::net
