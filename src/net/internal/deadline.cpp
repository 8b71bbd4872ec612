#include "net/internal/deadline.h"

#include <algorithm>

namespace arbiter::net::internal {

void Deadline::set(std::chrono::milliseconds wait, Clock::time_point limit) {
    if (!on_passed_) {
        return;
    }
    const Clock::time_point now = Clock::now();
    at_ = std::min(now + wait, limit);
    if (!timer_ || armed_for_ > *at_) {
        arm(now);
    }
}

void Deadline::disable() {
    at_.reset();
    timer_ = nullptr;
    on_passed_ = nullptr;
}

void Deadline::arm(Clock::time_point now) {
    armed_for_ = *at_;
    timer_ =
        loop_.after(std::chrono::ceil<std::chrono::milliseconds>(*at_ - now), [this] { fire(); });
}

void Deadline::fire() {
    timer_ = nullptr;
    if (!at_) {
        return;
    }
    const Clock::time_point now = Clock::now();
    if (now < *at_) {
        arm(now);
        return;
    }
    at_.reset();
    // The callback may disable the deadline.
    const std::function<void()> passed = on_passed_;
    passed();
}

}  // namespace arbiter::net::internal
