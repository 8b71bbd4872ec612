// The event loop behind net/loop.h. Only files that need Asio include this header.
#pragma once

#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <mutex>
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
    std::thread thread;
};

}  // namespace arbiter::net
