// Workers: a pool of threads for work that may take long or wait for the store, so that event loops
// never do. A Strand runs its work on them one piece after another.
//
// Requests that have begun go before new ones: under any load they are finished, and only new ones
// wait. How long they do tells whether more comes than can be done.
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
#include <optional>
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

    // Work of something that has begun. Dropped after stop().
    void post(std::function<void()> work);
    // The beginning of a request. Dropped after stop().
    void admit(std::function<void()> work);
    // Finishes the posted work and what that posts, and joins the threads.
    void stop();
    // Work that waits for a thread.
    [[nodiscard]] std::size_t waiting() const;
    // Whether more comes than can be done, so that new requests should be refused: for some time
    // now, all of them had to wait longer than `wait_max`. A pause of the whole machine is not
    // enough. From then on until this has not happened for a while, those are refused that would
    // come behind one that has waited so long.
    [[nodiscard]] bool is_behind(std::chrono::nanoseconds wait_max) const;

  private:
    using Clock = std::chrono::steady_clock;
    void run();
    // Under the lock.
    [[nodiscard]] bool is_empty() const noexcept { return begun_.empty() && new_.empty(); }
    std::function<void()> next();
    void note_wait(Clock::time_point since);

    mutable std::mutex lock_;
    std::condition_variable changed_;
    struct Waiting {
        std::function<void()> work;
        Clock::time_point since;
    };
    std::deque<std::function<void()>> begun_;
    std::deque<Waiting> new_;
    // The shortest wait of requests that began in this period and in the one before.
    Clock::time_point period_began_ = Clock::now();
    Clock::duration shortest_ = Clock::duration::zero();
    Clock::duration shortest_before_ = Clock::duration::zero();
    mutable std::optional<Clock::time_point> behind_at_;  // the last time that it was
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
