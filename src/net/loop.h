// Loops: threads that each run an event loop. A loop owns connections, timers and their callbacks.
//
// Thread safety: post(), after(), is_current() and next() may be called from any thread. Everything
// else that belongs to a loop is used on its thread. Loops outlive all that uses them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace arbiter::net {

class Loop {
  public:
    explicit Loop(std::size_t index);
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;
    ~Loop();

    // Runs `work` on the loop's thread, after the work posted before, never inside of the call. A
    // stopped loop destroys the work instead.
    void post(std::function<void()> work);

    // Destruction cancels. On the loop's thread the work surely does not begin afterwards.
    class Timer {
      public:
        struct State;
        explicit Timer(std::shared_ptr<State> state);
        Timer(const Timer&) = delete;
        Timer& operator=(const Timer&) = delete;
        ~Timer();

      private:
        std::shared_ptr<State> state_;
    };
    // Runs `work` once after a time, on the loop's thread.
    [[nodiscard]] std::unique_ptr<Timer> after(std::chrono::milliseconds wait,
                                               std::function<void()> work);

    // Its place among the loops of a Loops.
    [[nodiscard]] std::size_t index() const noexcept { return index_; }
    // True on the loop's thread.
    [[nodiscard]] bool is_current() const noexcept;

    // For the rest of this module.
    struct Impl;
    [[nodiscard]] Impl& impl() noexcept { return *impl_; }

  private:
    friend class Loops;
    void stop();  // joins the thread

    std::unique_ptr<Impl> impl_;
    const std::size_t index_;
};

class Loops {
  public:
    // At least one.
    explicit Loops(std::size_t count);
    Loops(const Loops&) = delete;
    Loops& operator=(const Loops&) = delete;
    ~Loops();  // stop()

    [[nodiscard]] std::size_t size() const noexcept { return loops_.size(); }
    [[nodiscard]] Loop& at(std::size_t index) { return *loops_.at(index); }
    // The loop for the next connection. Each has several in a row: few connections share a loop,
    // which is woken less often for each of them; many are spread evenly.
    [[nodiscard]] Loop& next() noexcept;
    // Drops work that has not begun and joins the threads. Not called on a loop's thread.
    void stop();

  private:
    std::vector<std::unique_ptr<Loop>> loops_;
    std::atomic<std::size_t> next_{0};
};

}  // namespace arbiter::net
