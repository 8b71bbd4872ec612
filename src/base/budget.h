// Budget: the steps that a piece of work may still take: patterns, formulas, conditions and checks
// of one turn together, or of one scan of lore.
//
// Steps are counted, never time, so a budget is spent at the same place live, on replay and on
// every machine. One step is one step of a pattern, about four nanoseconds; dearer work spends a
// multiple of it (base/limits.h). For one owner.
#pragma once

#include <cstdint>

#include "base/limits.h"

namespace arbiter::base {

class Budget {
  public:
    explicit constexpr Budget(std::uint64_t steps = kTurnStepsMax) noexcept : left_(steps) {}
    Budget(const Budget&) = delete;
    Budget& operator=(const Budget&) = delete;
    ~Budget() = default;

    // False if fewer steps are left. From then on every call returns false: work that needs the
    // budget is refused, whatever its size.
    bool spend(std::uint64_t steps) noexcept {
        spent_ = spent_ || steps > left_;
        left_ -= spent_ ? 0 : steps;
        return !spent_;
    }
    [[nodiscard]] bool is_spent() const noexcept { return spent_; }

  private:
    std::uint64_t left_;
    bool spent_ = false;
};

}  // namespace arbiter::base
