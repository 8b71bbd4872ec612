// The event loop behind net/loop.h: epoll, a queue of posted work, timers and the resolving of
// names. Sockets of the loop are registered once and edge-triggered, so that waiting for the next
// bytes of a connection is not a system call.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "net/loop.h"

namespace arbiter::net {

struct Loop::Impl {
    using Callback = std::function<void()>;

    explicit Impl(const Loop& of);
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl();

    // ---- sockets; on the loop's thread, or when it has stopped
    // The descriptor does not block. It is the caller's, who calls ignore() before closing it.
    void watch(int descriptor);
    // Drops the callbacks.
    void ignore(int descriptor);
    // Call once, later. The caller has used up what there was, and said so, or does not know.
    void when_readable(int descriptor, Callback callback);
    void when_writable(int descriptor, Callback callback);
    // Nothing more can be read, or written, until the socket says so.
    void note_empty(int descriptor) { watched_[index(descriptor)].is_readable = false; }
    void note_full(int descriptor) { watched_[index(descriptor)].is_writable = false; }

    // Runs `work` on a thread that may wait, one after another: resolving names.
    void run_apart(std::function<void()> work);

    void run();
    void wake() const;
    void stop_threads();

    const Loop& loop;
    std::mutex mutex;
    std::vector<std::function<void()>> posted;  // under the mutex
    bool is_stopped = false;                    // under the mutex

    // Timers by their time; on the loop's thread.
    using Clock = std::chrono::steady_clock;
    using Timers = std::multimap<Clock::time_point, std::shared_ptr<Timer::State>>;
    Timers timers;

    std::thread thread;

  private:
    // A descriptor. Its callbacks own its owner, so they are kept here: a loop that has stopped
    // drops them.
    struct Watched {
        Callback on_readable;
        Callback on_writable;
        std::uint32_t generation = 0;  // events for an earlier use of the number are dropped
        bool is_readable = false;
        bool is_writable = true;
        bool has_ended = false;          // by the peer, or with an error: reading tells
        bool asks_for_writable = false;  // epoll is asked
    };
    static std::size_t index(int descriptor) noexcept {
        return static_cast<std::size_t>(descriptor);
    }
    void ask(int operation, int descriptor, std::uint32_t events);
    void take(std::uint64_t tag, std::uint32_t events);
    void call(int descriptor, std::uint32_t generation, Callback Watched::* which);
    void call_later(int descriptor, Callback Watched::* which);
    void run_posted();
    void run_due();
    [[nodiscard]] int wait_ms();
    void run_apart_until_stopped();

    int epoll_;
    int wakes_;                     // an eventfd
    std::vector<Watched> watched_;  // by descriptor
    std::vector<std::function<void()>> running_;

    std::condition_variable has_apart_;
    std::vector<std::function<void()>> apart_;  // under the mutex
    std::thread apart_thread_;                  // begun with the first work
};

}  // namespace arbiter::net
