// Workers: a pool of threads for work that may take long or wait for the store, so that event loops
// never do. A Strand runs its work on them one piece after another.
//
// Thread-safe.
#pragma once

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

class Workers {
  public:
    explicit Workers(std::size_t count);
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    ~Workers() { stop(); }

    // Dropped after stop().
    void post(std::function<void()> work);
    // Finishes the posted work and what that posts, and joins the threads.
    void stop();
    // Work that waits for a thread.
    [[nodiscard]] std::size_t waiting() const;
    // Whether more comes than can be done: for some time now, all work had to wait longer than
    // `wait_max`. A pause of the whole machine is not enough.
    [[nodiscard]] bool is_behind(std::chrono::nanoseconds wait_max) const;

  private:
    using Clock = std::chrono::steady_clock;
    void run();
    void note_wait(Clock::time_point since);

    mutable std::mutex lock_;
    std::condition_variable changed_;
    struct Waiting {
        std::function<void()> work;
        Clock::time_point since;
    };
    std::deque<Waiting> queue_;
    // The shortest wait of work that was begun in this period and in the one before.
    Clock::time_point period_began_ = Clock::now();
    Clock::duration shortest_ = Clock::duration::zero();
    Clock::duration shortest_before_ = Clock::duration::zero();
    std::size_t busy_ = 0;
    bool is_stopping_ = false;
    std::vector<std::thread> threads_;
};

// The executor of everything that belongs together, such as the turns of a campaign.
class Strand : public std::enable_shared_from_this<Strand> {
  public:
    explicit Strand(Workers& workers) : workers_(workers) {}
    void post(std::function<void()> work);
    // Runs the work on this thread, before it returns, if no other work of the strand runs or
    // waits; else false.
    bool try_now(const std::function<void()>& work);
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

// The strand as an executor.
model::Post post_to(std::shared_ptr<Strand> strand);

}  // namespace arbiter::server
