#include "server/workers.h"

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

// Pieces of work of one strand before another one gets the thread.
constexpr std::size_t kPiecesAtOnce = 32;

}  // namespace

Workers::Workers(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        threads_.emplace_back([this] { run(); });
    }
}

void Workers::post(std::function<void()> work) {
    const std::scoped_lock lock(lock_);
    if (is_stopping_ && busy_ == 0 && is_empty()) {
        return;
    }
    begun_.push_back(std::move(work));
    changed_.notify_one();  // under the lock: the work may end the pool
}

void Workers::admit(std::function<void()> work) {
    const std::scoped_lock lock(lock_);
    if (is_stopping_ && busy_ == 0 && is_empty()) {
        return;
    }
    new_.push_back({std::move(work), Clock::now()});
    changed_.notify_one();  // under the lock: the work may end the pool
}

void Workers::stop() {
    {
        const std::scoped_lock lock(lock_);
        is_stopping_ = true;
    }
    changed_.notify_all();
    for (std::thread& each : threads_) {
        each.join();
    }
    threads_.clear();
}

std::size_t Workers::waiting() const {
    const std::scoped_lock lock(lock_);
    return begun_.size() + new_.size();
}

bool Workers::is_behind(std::chrono::nanoseconds wait_max) const {
    const std::scoped_lock lock(lock_);
    if (new_.empty()) {
        return false;
    }
    const Clock::time_point now = Clock::now();
    const Clock::duration waited = now - new_.front().since;
    if (waited <= wait_max) {
        return false;
    }
    const bool was_behind = behind_at_ && now - *behind_at_ < kBehindMemory;
    const bool is_late = shortest_ > wait_max && shortest_before_ > wait_max;
    if (!was_behind && !is_late && waited <= kStandstill) {
        return false;
    }
    behind_at_ = now;
    return true;
}

void Workers::note_wait(Clock::time_point since) {
    const Clock::time_point now = Clock::now();
    const Clock::duration waited = now - since;
    if (now - period_began_ >= kPeriod) {
        period_began_ = now;
        shortest_before_ = std::exchange(shortest_, waited);
    }
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
    }
    return work;
}

void Workers::run() {
    std::unique_lock lock(lock_);
    while (true) {
        changed_.wait(lock, [this] { return !is_empty() || (is_stopping_ && busy_ == 0); });
        if (is_empty()) {
            // The last one wakes the others.
            changed_.notify_all();
            return;
        }
        const auto work = next();
        ++busy_;
        lock.unlock();
        work();
        lock.lock();
        --busy_;
        if (is_stopping_) {
            changed_.notify_all();
        }
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

model::Post post_to(std::shared_ptr<Strand> strand) {
    Strand* const at = strand.get();
    return {[strand](std::function<void()> work) { strand->post(std::move(work)); },
            [at, strand = std::move(strand)](const std::function<void()>& work) {
                return at->try_now(work);
            }};
}

}  // namespace arbiter::server
