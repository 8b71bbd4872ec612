// Stocks that change by themselves while days pass.
#pragma once

#include "engine/check.h"
#include "rules/internal/context.h"
#include "rules/internal/paid_days.h"

namespace arbiter::rules::internal {

// Changes every stock of the rulebook by its rate for the days that it has not been given yet.
// Stocks that a command of the turn wrote start from now.
void pass_stocks(ReactionContext& context, const PaidDays& paid);
// Tells the stocks that a command of the turn wrote.
void restate_stocks(const ReactionContext& context, PaidDays& paid);

// Warns of a stock whose rate cannot be read.
class StockCheck final : public engine::Check {
  public:
    explicit StockCheck(const Stocks& stocks);
    [[nodiscard]] const value::Pattern& place() const noexcept override { return place_; }
    [[nodiscard]] engine::CheckResult judge(const Case& about) const override;

  private:
    value::Pattern place_;
    std::string key_;
};

}  // namespace arbiter::rules::internal
