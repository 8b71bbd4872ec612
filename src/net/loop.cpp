#include "net/loop.h"

#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/check.h"
#include "net/internal/loop_impl.h"

namespace arbiter::net {
namespace {

// The loop that the thread runs.
thread_local const Loop* current_loop = nullptr;

// A loop runs often and shortly. Linux lets threads that ask for short slices run soon after they
// wake, for no more time in all; kernels that do not know it ignore the wish.
void ask_for_short_slices() {
    constexpr std::uint64_t kSlice = 100'000;  // nanoseconds, the shortest
    // As in linux/sched/types.h, which does not go together with the C library's headers.
    struct {
        std::uint32_t size = 48;
        std::uint32_t policy = 0;  // SCHED_OTHER
        std::uint64_t flags = 0;
        std::int32_t nice = 0;
        std::uint32_t priority = 0;
        std::uint64_t runtime = kSlice;
        std::uint64_t deadline = 0;
        std::uint64_t period = 0;
    } wish;
    static_assert(sizeof wish == 48);
    wish.nice = getpriority(PRIO_PROCESS, 0);
    syscall(SYS_sched_setattr, 0, &wish, 0);
}

// Ends the waiting of the loop, or lets it not begin.
void call(Loop::Impl& loop) {
    loop.is_called = true;
    if (loop.is_waiting.exchange(false)) {
        constexpr std::uint64_t kOne = 1;
        // The count of rings is never read, and would have to be 2^64 - 1 for this to fail.
        CHECK(write(loop.bell.get(), &kOne, sizeof kOne) == sizeof kOne);
    }
}

// False if the loop was stopped.
bool run_posted(Loop::Impl& loop) {
    loop.is_called = false;
    std::vector<std::function<void()>> work;
    {
        const std::lock_guard lock(loop.mutex);
        if (loop.is_stopped) {
            return false;
        }
        work.swap(loop.posted);
    }
    for (std::function<void()>& each : work) {
        each();
        each = nullptr;  // before the next one runs: work owns things
    }
    return true;
}

void run_ready(Loop::Impl& loop) {
    // Watches that become ready now have their turn in the next round.
    const std::size_t count = loop.ready.size();
    for (std::size_t index = 0; index < count; ++index) {
        if (internal::Watch* const watch = std::exchange(loop.ready[index], nullptr)) {
            watch->run_queued();
        }
    }
    loop.ready.erase(loop.ready.begin(), loop.ready.begin() + static_cast<std::ptrdiff_t>(count));
}

void take_reported(Loop::Impl& loop, std::span<epoll_event> events) {
    loop.reported = events;
    for (const epoll_event& event : events) {
        if (event.data.ptr != nullptr) {  // null: the bell, or a watch that is gone
            static_cast<internal::Watch*>(event.data.ptr)->take(event.events);
        }
    }
    loop.reported = {};
}

}  // namespace

struct Loop::Timer::State {
    Loop& loop;
    std::function<void()> work;
    std::atomic<bool> is_cancelled{false};
    std::optional<Impl::Timers::iterator> place = {};  // on the loop's thread; nothing: it has none
};

namespace {

void run_due(Loop::Impl& loop) {
    if (loop.timers.empty()) {
        return;
    }
    const auto now = Loop::Impl::Clock::now();
    while (!loop.timers.empty() && loop.timers.begin()->first <= now) {
        const std::shared_ptr<Loop::Timer::State> state = std::move(loop.timers.begin()->second);
        loop.timers.erase(loop.timers.begin());
        state->place.reset();
        // The work may destroy the timer.
        const std::function<void()> work = std::exchange(state->work, nullptr);
        if (!state->is_cancelled) {
            work();
        }
    }
}

// Milliseconds until the first timer is due; -1: there is none.
int patience(const Loop::Impl& loop) {
    if (loop.timers.empty()) {
        return -1;
    }
    constexpr std::chrono::milliseconds kLongest = std::chrono::hours(1);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(loop.timers.begin()->first -
                                                                   Loop::Impl::Clock::now());
    return static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), kLongest).count());
}

void run(Loop::Impl& loop) {
    constexpr std::size_t kEventsMax = 128;
    std::array<epoll_event, kEventsMax> events{};
    do {
        loop.is_waiting = true;
        const bool has_work = loop.is_called || !loop.ready.empty();
        const int count =
            epoll_wait(loop.epoll.get(), events.data(), kEventsMax, has_work ? 0 : patience(loop));
        loop.is_waiting = false;
        if (count > 0) {
            take_reported(loop, std::span(events).first(static_cast<std::size_t>(count)));
        }
        run_ready(loop);
        run_due(loop);
    } while (!loop.is_called || run_posted(loop));
}

}  // namespace

Loop::Loop(std::size_t index) : impl_(std::make_unique<Impl>()), index_(index) {
    impl_->epoll = internal::Descriptor(epoll_create1(EPOLL_CLOEXEC));
    impl_->bell = internal::Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    epoll_event rung{};
    rung.events = EPOLLIN | EPOLLET;
    CHECK(epoll_ctl(impl_->epoll.get(), EPOLL_CTL_ADD, impl_->bell.get(), &rung) == 0);
    impl_->thread = std::thread([this, impl = impl_.get()] {
        current_loop = this;
        pthread_setname_np(pthread_self(), "loop");
        ask_for_short_slices();
        run(*impl);
    });
}

Loop::~Loop() {
    stop();
}

void Loop::post(std::function<void()> work) {
    {
        const std::lock_guard lock(impl_->mutex);
        if (impl_->is_stopped) {
            return;
        }
        impl_->posted.push_back(std::move(work));
    }
    call(*impl_);
}

bool Loop::is_current() const noexcept {
    return current_loop == this;
}

void Loop::stop() {
    {
        const std::lock_guard lock(impl_->mutex);
        if (impl_->is_stopped) {
            return;
        }
        impl_->is_stopped = true;
    }
    CHECK(!is_current());
    call(*impl_);
    impl_->thread.join();
    impl_->resolver = nullptr;
    std::vector<std::function<void()>> dropped;
    const std::lock_guard lock(impl_->mutex);
    dropped.swap(impl_->posted);
}

std::unique_ptr<Loop::Timer> Loop::after(std::chrono::milliseconds wait,
                                         std::function<void()> work) {
    auto state = std::make_shared<Timer::State>(*this, std::move(work));
    const auto add = [impl = impl_.get(), state, at = Impl::Clock::now() + wait] {
        if (!state->is_cancelled) {
            state->place = impl->timers.emplace(at, state);
        }
    };
    if (is_current()) {
        add();
    } else {
        post(add);
    }
    return std::make_unique<Timer>(std::move(state));
}

Loop::Timer::Timer(std::shared_ptr<State> state) : state_(std::move(state)) {}

Loop::Timer::~Timer() {
    state_->is_cancelled = true;
    const auto cancel = [state = state_] {
        if (const auto place = std::exchange(state->place, std::nullopt)) {
            state->loop.impl_->timers.erase(*place);
        }
        state->work = nullptr;
    };
    if (state_->loop.is_current()) {
        cancel();
    } else {
        state_->loop.post(cancel);
    }
}

Loops::Loops(std::size_t count) {
    CHECK(count > 0);
    loops_.reserve(count);
    for (std::size_t index = 0; index < count; ++index) {
        loops_.push_back(std::make_unique<Loop>(index));
    }
}

Loops::~Loops() {
    stop();
}

Loop& Loops::next() noexcept {
    constexpr std::size_t kInARow = 64;
    const std::size_t count = next_.fetch_add(1, std::memory_order_relaxed);
    return *loops_[count / kInARow % loops_.size()];
}

void Loops::stop() {
    for (const std::unique_ptr<Loop>& loop : loops_) {
        loop->stop();
    }
}

}  // namespace arbiter::net
