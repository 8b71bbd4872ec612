// Deadline: one timeout that is moved often. Moving it back is cheap: the timer is only set anew
// when it fires too early. Used on the loop's thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include "net/loop.h"

namespace arbiter::net::internal {

class Deadline {
  public:
    Deadline(Loop& loop, std::function<void()> on_passed)
        : loop_(loop), on_passed_(std::move(on_passed)) {}

    using Clock = std::chrono::steady_clock;
    // Not behind `limit`.
    void set(std::chrono::milliseconds wait, Clock::time_point limit = Clock::time_point::max());
    // Also drops the callback: it is not called, and a new set() does nothing.
    void disable();
    void clear() { at_.reset(); }

  private:
    void arm(Clock::time_point now);
    void fire();

    Loop& loop_;
    std::function<void()> on_passed_;
    std::optional<Clock::time_point> at_;
    Clock::time_point armed_for_;
    std::unique_ptr<Loop::Timer> timer_;
};

}  // namespace arbiter::net::internal
