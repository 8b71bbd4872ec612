// Workers: a pool of threads for work that may take long or wait for the store, so that event loops
// never do. A Strand runs its work on them one piece after another.
//
// Requests that have begun go before new ones: under any load they are finished, and only new ones
// wait. How long they do tells whether more comes than can be done.
//
// No more threads work at once than there are processors, so that event loops are not the smallest
// part of a crowd. Work that waits for the store (Wait), or takes long, does not count. The thread
// that became idle last is woken first: the others need no memory and no part of the caches.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "model/async_model.h"

namespace arbiter::server {

struct WorkersOptions {
    std::size_t threads = 8;
    // Threads that work at once, but for those that wait or take long. 0: one for each processor.
    std::size_t running_max = 0;
    // New requests should not wait longer for a thread.
    std::chrono::milliseconds wait_max{50};
};

class Workers {
  public:
    explicit Workers(WorkersOptions options);
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    ~Workers() { stop(); }

    // Work of something that has begun. Dropped after stop().
    void post(std::function<void()> work);
    // The beginning of a request. Dropped after stop().
    void admit(std::function<void()> work);
    // Finishes the posted work and what that posts, and joins the threads.
    void stop();
    // Work that waits for a thread.
    [[nodiscard]] std::size_t waiting() const;
    // Whether more comes than can be done, so that a new request should be refused: for some time
    // now all of them had to wait longer than `wait_max`, or none has begun for long. A pause of
    // the whole machine is not enough, nor is a queue that is short. From then on until nothing was
    // refused for a while, as many may wait as begin within `wait_max`. Never waits for a lock.
    [[nodiscard]] bool is_behind() const noexcept;

    // Lets another piece of work begin while this thread waits. Does nothing on other threads than
    // workers.
    class Wait {
      public:
        Wait();
        Wait(const Wait&) = delete;
        Wait& operator=(const Wait&) = delete;
        ~Wait();
    };

  private:
    using Clock = std::chrono::steady_clock;
    struct Thread {
        Workers* pool = nullptr;
        Clock::time_point began = {};
        bool is_counted = false;  // among running_
        bool is_woken = false;    // while it is idle
        std::condition_variable woken = {};
    };
    void run(Thread& self);
    // Under the lock.
    [[nodiscard]] bool is_empty() const noexcept { return begun_.empty() && new_.empty(); }
    [[nodiscard]] bool is_over() const noexcept { return is_stopping_ && busy_ == 0 && is_empty(); }
    void wake_one();
    void wake_all();
    void wake_last();
    void await_work(Thread& self, std::unique_lock<std::mutex>& lock);
    void release_long_ones();
    void count(Thread& thread, bool is_counted);
    std::function<void()> next();
    void note_wait(Clock::time_point since);

    static thread_local Thread* current;

    const WorkersOptions options_;
    mutable std::mutex lock_;
    struct Waiting {
        std::function<void()> work;
        Clock::time_point since;
    };
    std::deque<std::function<void()>> begun_;
    std::deque<Waiting> new_;
    // New requests that began in this period, and the shortest wait of them and of those of the
    // period before.
    Clock::time_point period_began_ = Clock::now();
    std::size_t begun_in_period_ = 0;
    Clock::duration shortest_ = Clock::duration::zero();
    Clock::duration shortest_before_ = Clock::duration::zero();
    std::size_t busy_ = 0;       // threads that have work
    std::size_t running_ = 0;    // those of them that count
    std::size_t waking_ = 0;     // threads that were woken and do not run yet
    std::vector<Thread*> idle_;  // those that wait for work, but for the one that watches
    bool has_watcher_ = false;
    bool is_stopping_ = false;
    // For is_behind(), written under the lock.
    std::atomic<std::size_t> new_count_ = 0;
    std::atomic<Clock::duration> stalled_since_ = Clock::duration::zero();  // none has begun
    std::atomic<std::size_t> new_max_;
    mutable std::atomic<Clock::duration> behind_until_ = Clock::duration::zero();
    std::deque<Thread> states_;
    std::vector<std::thread> threads_;
};

// The executor of everything that belongs together, such as the turns of a campaign.
class Strand final : public model::Executor, public std::enable_shared_from_this<Strand> {
  public:
    explicit Strand(Workers& workers) : workers_(workers) {}
    void post(std::function<void()> work) override;
    // Runs the work on this thread, before it returns, if no other work of the strand runs or
    // waits; else false.
    bool try_now(const std::function<void()>& work) override;
    // try_now(), else post().
    void dispatch(std::function<void()> work);

  private:
    // Runs some of the work, and lets others have the thread.
    void run();

    Workers& workers_;
    std::mutex lock_;
    std::list<std::function<void()>> queue_;  // takes no memory while it is empty
    bool is_scheduled_ = false;
};

}  // namespace arbiter::server
