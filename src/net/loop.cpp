#include "net/loop.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
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

void run_posted(Loop::Impl& loop) {
    std::vector<std::function<void()>> work;
    {
        const std::lock_guard lock(loop.mutex);
        work.swap(loop.posted);
    }
    for (std::function<void()>& each : work) {
        each();
        each = nullptr;  // before the next one runs: work owns things
    }
}

}  // namespace

struct Loop::Timer::State {
    Loop& loop;
    std::function<void()> work;
    std::atomic<bool> is_cancelled{false};
    std::optional<Impl::Timers::iterator> place = {};  // on the loop's thread; nothing: it has none
};

namespace {

void set_alarm(Loop::Impl& loop);

void run_due(Loop::Impl& loop) {
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
    set_alarm(loop);
}

// An alarm that comes too early does no harm, so it is only ever set to an earlier time.
void set_alarm(Loop::Impl& loop) {
    if (loop.timers.empty()) {
        return;
    }
    const auto first = loop.timers.begin()->first;
    if (loop.alarm_at && *loop.alarm_at <= first) {
        return;
    }
    loop.alarm_at = first;
    loop.alarm.expires_at(first);
    loop.alarm.async_wait([&loop](boost::system::error_code code) {
        if (!code) {
            loop.alarm_at.reset();
            run_due(loop);
        }
    });
}

}  // namespace

Loop::Loop(std::size_t index) : impl_(std::make_unique<Impl>()), index_(index) {
    impl_->thread = std::thread([this, impl = impl_.get()] {
        current_loop = this;
        pthread_setname_np(pthread_self(), "loop");
        ask_for_short_slices();
        impl->context.run();
    });
}

Loop::~Loop() {
    stop();
}

void Loop::post(std::function<void()> work) {
    bool is_first = false;
    {
        const std::lock_guard lock(impl_->mutex);
        if (impl_->is_stopped) {
            return;
        }
        is_first = impl_->posted.empty();
        impl_->posted.push_back(std::move(work));
    }
    if (is_first) {
        boost::asio::post(impl_->context, [impl = impl_.get()] { run_posted(*impl); });
    }
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
    impl_->context.stop();
    impl_->thread.join();
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
            set_alarm(*impl);
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
    return *loops_[next_.fetch_add(1, std::memory_order_relaxed) % loops_.size()];
}

void Loops::stop() {
    for (const std::unique_ptr<Loop>& loop : loops_) {
        loop->stop();
    }
}

}  // namespace arbiter::net
