// The event loop behind net/loop.h. Only files that need Asio include this header.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "net/loop.h"

namespace arbiter::net {

struct Loop::Impl {
    boost::asio::io_context context{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard{
        context.get_executor()};
    std::mutex mutex;
    std::vector<std::function<void()>> posted;  // under the mutex
    bool is_stopped = false;                    // under the mutex

    // Timers by their time; on the loop's thread. One timer of the system serves all of them: a
    // stream has several, which seldom fire.
    using Clock = std::chrono::steady_clock;
    using Timers = std::multimap<Clock::time_point, std::shared_ptr<Timer::State>>;
    Timers timers;
    boost::asio::steady_timer alarm{context};
    std::optional<Clock::time_point> alarm_at;  // nothing: it is not set

    std::thread thread;
};

}  // namespace arbiter::net
