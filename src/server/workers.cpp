#include "server/workers.h"

#include <pthread.h>

#include <algorithm>
#include <utility>

namespace arbiter::server {

namespace {

// Long against a pause of the machine, short against the patience of a client.
constexpr std::chrono::milliseconds kPeriod{100};
// Work that waits so long while no other is begun: all threads wait for something.
constexpr std::chrono::milliseconds kStandstill{1000};
// Overload comes in waves: without a memory of the last one, each would fill the queue again.
constexpr std::chrono::milliseconds kBehindMemory{2000};
// New requests for each running thread that may always wait: clients that are as many wait for each
// other, however slow the machine is.
constexpr std::size_t kQueueMin = 32;
// Work that takes longer lets other work begin beside it. Most takes a tenth of a millisecond.
constexpr std::chrono::milliseconds kLongTime{5};

// Pieces of work of one strand before another one gets the thread.
constexpr std::size_t kPiecesAtOnce = 32;

WorkersOptions complete(WorkersOptions options) {
    if (options.running_max == 0) {
        options.running_max = std::max(std::thread::hardware_concurrency(), 1U);
    }
    return options;
}

}  // namespace

thread_local Workers::Thread* Workers::current = nullptr;

Workers::Workers(WorkersOptions options)
    : options_(complete(options)), new_max_(kQueueMin * options_.running_max) {
    for (std::size_t i = 0; i < options_.threads; ++i) {
        Thread& self = states_.emplace_back(this);
        threads_.emplace_back([this, &self] {
            pthread_setname_np(pthread_self(), "worker");
            current = &self;
            run(self);
        });
    }
}

void Workers::post(std::function<void()> work) {
    const std::scoped_lock lock(lock_);
    if (is_over()) {
        return;
    }
    begun_.push_back(std::move(work));
    wake_one();  // under the lock: the work may end the pool
}

void Workers::admit(std::function<void()> work) {
    const std::scoped_lock lock(lock_);
    if (is_over()) {
        return;
    }
    const Clock::time_point now = Clock::now();
    if (new_.empty()) {
        stalled_since_.store(now.time_since_epoch(), std::memory_order_relaxed);
    }
    new_.push_back({std::move(work), now});
    new_count_.store(new_.size(), std::memory_order_relaxed);
    wake_one();  // under the lock: the work may end the pool
}

void Workers::stop() {
    {
        const std::scoped_lock lock(lock_);
        is_stopping_ = true;
        wake_all();
    }
    for (std::thread& each : threads_) {
        each.join();
    }
    threads_.clear();
}

std::size_t Workers::waiting() const {
    const std::scoped_lock lock(lock_);
    return begun_.size() + new_.size();
}

bool Workers::is_behind() const noexcept {
    const std::size_t count = new_count_.load(std::memory_order_relaxed);
    if (count == 0) {
        return false;
    }
    const Clock::duration now = Clock::now().time_since_epoch();
    const bool was_behind = now < behind_until_.load(std::memory_order_relaxed);
    const bool is_full = was_behind && count >= new_max_.load(std::memory_order_relaxed);
    if (!is_full && now - stalled_since_.load(std::memory_order_relaxed) <= kStandstill) {
        return false;
    }
    behind_until_.store(now + kBehindMemory, std::memory_order_relaxed);
    return true;
}

void Workers::note_wait(Clock::time_point since) {
    const Clock::time_point now = Clock::now();
    const Clock::duration waited = now - since;
    if (now - period_began_ >= kPeriod) {
        if (shortest_ > options_.wait_max && shortest_before_ > options_.wait_max) {
            behind_until_.store((now + kBehindMemory).time_since_epoch(),
                                std::memory_order_relaxed);
        }
        const std::chrono::duration<double> period = now - period_began_;
        const std::chrono::duration<double> wait_max = options_.wait_max;
        new_max_.store(std::max(kQueueMin * options_.running_max,
                                static_cast<std::size_t>(static_cast<double>(begun_in_period_) *
                                                         (wait_max / period))),
                       std::memory_order_relaxed);
        period_began_ = now;
        begun_in_period_ = 0;
        shortest_before_ = std::exchange(shortest_, waited);
    }
    stalled_since_.store(now.time_since_epoch(), std::memory_order_relaxed);
    ++begun_in_period_;
    shortest_ = std::min(shortest_, waited);
}

std::function<void()> Workers::next() {
    std::function<void()> work;
    if (!begun_.empty()) {
        work = std::move(begun_.front());
        begun_.pop_front();
    } else {
        note_wait(new_.front().since);
        work = std::move(new_.front().work);
        new_.pop_front();
        new_count_.store(new_.size(), std::memory_order_relaxed);
    }
    return work;
}

// Threads that work take the next piece themselves, and those that were woken may take any.
void Workers::wake_one() {
    const bool may_begin = running_ + waking_ < options_.running_max;
    const bool needs_watcher = !has_watcher_ && waking_ == 0;
    if (!idle_.empty() && (may_begin || needs_watcher)) {
        wake_last();
    }
}

void Workers::wake_all() {
    while (!idle_.empty()) {
        wake_last();
    }
}

void Workers::wake_last() {
    Thread& thread = *idle_.back();
    idle_.pop_back();
    ++waking_;
    thread.is_woken = true;
    thread.woken.notify_one();
}

// While work waits because as many run as may, one thread watches whether one of them takes long.
void Workers::await_work(Thread& self, std::unique_lock<std::mutex>& lock) {
    if (!is_empty() && !has_watcher_) {
        has_watcher_ = true;
        lock.unlock();
        std::this_thread::sleep_for(kLongTime);
        lock.lock();
        has_watcher_ = false;
        release_long_ones();
        return;
    }
    self.is_woken = false;
    idle_.push_back(&self);
    self.woken.wait(lock, [&self] { return self.is_woken; });
    --waking_;
}

void Workers::release_long_ones() {
    const Clock::time_point now = Clock::now();
    for (Thread& each : states_) {
        if (each.is_counted && now - each.began >= kLongTime) {
            count(each, false);
        }
    }
}

void Workers::count(Thread& thread, bool is_counted) {
    thread.is_counted = is_counted;
    if (is_counted) {
        ++running_;
    } else {
        --running_;
    }
}

void Workers::run(Thread& self) {
    std::unique_lock lock(lock_);
    while (true) {
        while (!is_over() && (is_empty() || running_ >= options_.running_max)) {
            await_work(self, lock);
        }
        if (is_empty()) {
            // The last one wakes the others.
            wake_all();
            return;
        }
        const auto work = next();
        ++busy_;
        self.began = Clock::now();
        count(self, true);
        if (!is_empty()) {
            wake_one();
        }
        lock.unlock();
        work();
        lock.lock();
        if (self.is_counted) {
            count(self, false);
        }
        --busy_;
        if (is_stopping_) {
            wake_all();
        }
    }
}

Workers::Wait::Wait() {
    if (current == nullptr) {
        return;
    }
    Workers& pool = *current->pool;
    const std::scoped_lock lock(pool.lock_);
    if (current->is_counted) {
        pool.count(*current, false);
    }
    if (!pool.is_empty()) {
        pool.wake_one();
    }
}

Workers::Wait::~Wait() {
    if (current == nullptr) {
        return;
    }
    Workers& pool = *current->pool;
    const std::scoped_lock lock(pool.lock_);
    current->began = Clock::now();
    if (!current->is_counted) {
        pool.count(*current, true);
    }
}

void Strand::post(std::function<void()> work) {
    {
        const std::scoped_lock lock(lock_);
        queue_.push_back(std::move(work));
        if (is_scheduled_) {
            return;
        }
        is_scheduled_ = true;
    }
    workers_.post([self = shared_from_this()] { self->run(); });
}

bool Strand::try_now(const std::function<void()>& work) {
    {
        const std::scoped_lock lock(lock_);
        if (is_scheduled_) {
            return false;
        }
        is_scheduled_ = true;
    }
    work();
    {
        const std::scoped_lock lock(lock_);
        if (queue_.empty()) {
            is_scheduled_ = false;
            return true;
        }
    }
    workers_.post([self = shared_from_this()] { self->run(); });
    return true;
}

void Strand::dispatch(std::function<void()> work) {
    if (!try_now(work)) {
        post(std::move(work));
    }
}

void Strand::run() {
    for (std::size_t i = 0; i < kPiecesAtOnce; ++i) {
        std::function<void()> work;
        {
            const std::scoped_lock lock(lock_);
            if (queue_.empty()) {
                is_scheduled_ = false;
                return;
            }
            work = std::move(queue_.front());
            queue_.pop_front();
        }
        work();
    }
    workers_.post([self = shared_from_this()] { self->run(); });
}

}  // namespace arbiter::server
