#include "net/internal/watch.h"

#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "net/internal/loop_impl.h"

namespace arbiter::net::internal {

std::unique_ptr<Watch> Watch::open(Loop& loop, Descriptor socket) {
    std::unique_ptr<Watch> watch(new Watch(loop, std::move(socket)));
    epoll_event event{};
    event.events = EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDHUP | EPOLLET;
    event.data.ptr = watch.get();
    if (epoll_ctl(loop.impl().epoll.get(), EPOLL_CTL_ADD, watch->socket(), &event) != 0) {
        const int failure = errno;
        watch = nullptr;  // closing the socket changes errno
        errno = failure;
    }
    return watch;
}

Watch::~Watch() {
    Loop::Impl& loop = loop_.impl();
    epoll_event ignored{};
    epoll_ctl(loop.epoll.get(), EPOLL_CTL_DEL, socket_.get(), &ignored);
    for (epoll_event& event : loop.reported) {
        if (event.data.ptr == this) {
            event.data.ptr = nullptr;
        }
    }
    if (is_queued_) {
        *std::ranges::find(loop.ready, this) = nullptr;
    }
    if (is_gone_ != nullptr) {
        *is_gone_ = true;
    }
}

void Watch::add(std::function<void()>& waiting, std::function<void()> callback) {
    if (!waiting) {
        waiting = std::move(callback);
        return;
    }
    waiting = [this, first = std::move(waiting), second = std::move(callback)] {
        const bool* const is_gone = is_gone_;
        first();
        if (!*is_gone) {
            second();
        }
    };
}

void Watch::when_readable(std::function<void()> callback) {
    add(on_readable_, std::move(callback));
    if (is_readable_) {
        queue();
    }
}

void Watch::when_writable(std::function<void()> callback) {
    add(on_writable_, std::move(callback));
    if (is_writable_) {
        queue();
    }
}

void Watch::forget() {
    on_readable_ = nullptr;
    on_writable_ = nullptr;
}

void Watch::queue() {
    if (!std::exchange(is_queued_, true)) {
        loop_.impl().ready.push_back(this);
    }
}

void Watch::take(std::uint32_t events) {
    constexpr std::uint32_t kOver = EPOLLHUP | EPOLLERR;
    constexpr std::uint32_t kBehind = EPOLLRDHUP | EPOLLPRI | kOver;
    may_have_more_ = may_have_more_ || (events & kBehind) != 0;
    is_readable_ = is_readable_ || (events & (EPOLLIN | kBehind)) != 0;
    is_writable_ = is_writable_ || (events & (EPOLLOUT | kOver)) != 0;
    run_callbacks();
}

void Watch::run_queued() {
    is_queued_ = false;
    run_callbacks();
}

void Watch::run_callbacks() {
    bool is_gone = false;
    is_gone_ = &is_gone;
    if (is_readable_ && on_readable_) {
        std::exchange(on_readable_, nullptr)();
    }
    if (!is_gone && is_writable_ && on_writable_) {
        std::exchange(on_writable_, nullptr)();
    }
    if (!is_gone) {
        is_gone_ = nullptr;
    }
}

}  // namespace arbiter::net::internal
