#include "net/loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/check.h"
#include "net/internal/loop_impl.h"

namespace arbiter::net {
namespace {

// The loop that the thread runs.
thread_local const Loop* current_loop = nullptr;

// Events that are taken at once, before posted work and timers have their turn.
constexpr std::size_t kEventsAtOnce = 128;
constexpr std::uint32_t kReadEvents = EPOLLIN | EPOLLRDHUP | EPOLLET;

std::uint64_t tag_of(int descriptor, std::uint32_t generation) {
    return (std::uint64_t{generation} << 32U) | static_cast<std::uint32_t>(descriptor);
}

// Of an encrypted connection, writing may wait for bytes as reading does.
void add(std::function<void()>& to, std::function<void()> callback) {
    if (to) {
        to = [first = std::move(to), second = std::move(callback)] {
            first();
            second();
        };
    } else {
        to = std::move(callback);
    }
}

}  // namespace

struct Loop::Timer::State {
    Loop& loop;
    std::function<void()> work;
    std::atomic<bool> is_cancelled{false};
    std::optional<Impl::Timers::iterator> place = {};  // on the loop's thread; nothing: it has none
};

Loop::Impl::Impl(const Loop& of)
    : loop(of),
      epoll_(epoll_create1(EPOLL_CLOEXEC)),
      wakes_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    CHECK(epoll_ >= 0 && wakes_ >= 0);
    watch(wakes_);  // edge-triggered: each writing wakes the loop, and nothing has to be read
}

Loop::Impl::~Impl() {
    close(wakes_);
    close(epoll_);
}

void Loop::Impl::ask(int operation, int descriptor, std::uint32_t events) {
    epoll_event event{};
    event.events = events;
    event.data.u64 = tag_of(descriptor, watched_[index(descriptor)].generation);
    CHECK(epoll_ctl(epoll_, operation, descriptor, &event) == 0);
}

void Loop::Impl::watch(int descriptor) {
    if (index(descriptor) >= watched_.size()) {
        watched_.resize(std::max(index(descriptor) + 1, watched_.size() * 2));
    }
    ask(EPOLL_CTL_ADD, descriptor, kReadEvents);
}

void Loop::Impl::ignore(int descriptor) {
    ask(EPOLL_CTL_DEL, descriptor, 0);
    Watched& watched = watched_[index(descriptor)];
    // Destroyed last: callbacks own things.
    const Watched dropped = std::exchange(
        watched,
        Watched{.on_readable = {}, .on_writable = {}, .generation = watched.generation + 1});
}

void Loop::Impl::when_readable(int descriptor, Callback callback) {
    Watched& watched = watched_[index(descriptor)];
    add(watched.on_readable, std::move(callback));
    if (watched.is_readable || watched.has_ended) {
        call_later(descriptor, &Watched::on_readable);
    }
}

void Loop::Impl::when_writable(int descriptor, Callback callback) {
    Watched& watched = watched_[index(descriptor)];
    add(watched.on_writable, std::move(callback));
    if (watched.is_writable || watched.has_ended) {
        call_later(descriptor, &Watched::on_writable);
    } else if (!std::exchange(watched.asks_for_writable, true)) {
        ask(EPOLL_CTL_MOD, descriptor, kReadEvents | EPOLLOUT);  // tells if it is already
    }
}

void Loop::Impl::call_later(int descriptor, Callback Watched::* which) {
    const std::lock_guard lock(mutex);
    posted.push_back([this, descriptor, generation = watched_[index(descriptor)].generation,
                      which] { call(descriptor, generation, which); });
}

void Loop::Impl::call(int descriptor, std::uint32_t generation, Callback Watched::* which) {
    Watched& watched = watched_[index(descriptor)];
    if (watched.generation != generation || !(watched.*which)) {
        return;
    }
    const Callback callback = std::exchange(watched.*which, nullptr);
    callback();  // may close the socket
}

void Loop::Impl::take(std::uint64_t tag, std::uint32_t events) {
    const auto descriptor = static_cast<int>(static_cast<std::uint32_t>(tag));
    const auto generation = static_cast<std::uint32_t>(tag >> 32U);
    Watched& watched = watched_[index(descriptor)];
    if (watched.generation != generation) {
        return;
    }
    watched.has_ended = watched.has_ended || (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
    watched.is_readable = watched.is_readable || (events & EPOLLIN) != 0;
    watched.is_writable = watched.is_writable || (events & EPOLLOUT) != 0;
    const bool is_writable = watched.is_writable || watched.has_ended;
    if (watched.is_readable || watched.has_ended) {
        call(descriptor, generation, &Watched::on_readable);
    }
    if (is_writable) {
        call(descriptor, generation, &Watched::on_writable);
    }
}

void Loop::Impl::wake() const {
    const std::uint64_t one = 1;
    (void)!write(wakes_, &one, sizeof one);
}

void Loop::Impl::run_posted() {
    {
        const std::lock_guard lock(mutex);
        running_.swap(posted);
    }
    for (std::function<void()>& each : running_) {
        each();
        each = nullptr;  // before the next one runs: work owns things
    }
    running_.clear();
}

void Loop::Impl::run_due() {
    const auto now = Clock::now();
    while (!timers.empty() && timers.begin()->first <= now) {
        const std::shared_ptr<Timer::State> state = std::move(timers.begin()->second);
        timers.erase(timers.begin());
        state->place.reset();
        // The work may destroy the timer.
        const std::function<void()> work = std::exchange(state->work, nullptr);
        if (!state->is_cancelled) {
            work();
        }
    }
}

// Until the next timer; -1: for ever.
int Loop::Impl::wait_ms() {
    {
        const std::lock_guard lock(mutex);
        if (!posted.empty() || is_stopped) {
            return 0;
        }
    }
    if (timers.empty()) {
        return -1;
    }
    const auto wait =
        std::chrono::ceil<std::chrono::milliseconds>(timers.begin()->first - Clock::now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(wait, 0, std::numeric_limits<int>::max()));
}

void Loop::Impl::run() {
    current_loop = &loop;
    std::array<epoll_event, kEventsAtOnce> events;
    while (true) {
        const int count =
            epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), wait_ms());
        for (const epoll_event& each :
             std::span(events).first(static_cast<std::size_t>(std::max(count, 0)))) {
            take(each.data.u64, each.events);
        }
        {
            const std::lock_guard lock(mutex);
            if (is_stopped) {
                return;
            }
        }
        run_posted();
        run_due();
    }
}

void Loop::Impl::run_apart(std::function<void()> work) {
    const std::lock_guard lock(mutex);
    if (is_stopped) {
        return;
    }
    apart_.push_back(std::move(work));
    if (!apart_thread_.joinable()) {
        apart_thread_ = std::thread([this] { run_apart_until_stopped(); });
    }
    has_apart_.notify_one();
}

void Loop::Impl::run_apart_until_stopped() {
    std::unique_lock lock(mutex);
    while (true) {
        has_apart_.wait(lock, [this] { return is_stopped || !apart_.empty(); });
        if (is_stopped) {
            return;
        }
        const std::function<void()> work = std::move(apart_.front());
        apart_.erase(apart_.begin());
        lock.unlock();
        work();
        lock.lock();
    }
}

void Loop::Impl::stop_threads() {
    wake();
    has_apart_.notify_one();
    thread.join();
    if (apart_thread_.joinable()) {
        apart_thread_.join();
    }
    std::vector<std::function<void()>> dropped;
    std::vector<std::function<void()>> dropped_apart;
    {
        const std::lock_guard lock(mutex);
        dropped.swap(posted);
        dropped_apart.swap(apart_);
    }
    const Timers dropped_timers = std::exchange(timers, {});
    for (const auto& [_, state] : dropped_timers) {
        state->place.reset();
    }
    // They own sockets of this loop, which are ignored when they are destroyed.
    for (std::size_t i = 0; i < watched_.size(); ++i) {
        const Callback on_readable = std::exchange(watched_[i].on_readable, nullptr);
        const Callback on_writable = std::exchange(watched_[i].on_writable, nullptr);
    }
}

Loop::Loop(std::size_t index) : impl_(std::make_unique<Impl>(*this)), index_(index) {
    impl_->thread = std::thread([impl = impl_.get()] { impl->run(); });
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
    if (is_first && !is_current()) {
        impl_->wake();
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
    impl_->stop_threads();
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
    return *loops_[next_.fetch_add(1, std::memory_order_relaxed) % loops_.size()];
}

void Loops::stop() {
    for (const std::unique_ptr<Loop>& loop : loops_) {
        loop->stop();
    }
}

}  // namespace arbiter::net
