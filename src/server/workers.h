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
    // Work that waits for a thread, and how long the first of it has waited.
    [[nodiscard]] std::size_t waiting() const;
    [[nodiscard]] std::chrono::nanoseconds wait() const;

  private:
    void run();

    mutable std::mutex lock_;
    std::condition_variable changed_;
    struct Waiting {
        std::function<void()> work;
        std::chrono::steady_clock::time_point since;
    };
    std::deque<Waiting> queue_;
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
