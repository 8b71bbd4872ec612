// Stocks that change by themselves while days pass.
#pragma once

#include <cstdint>

#include "engine/check.h"
#include "rules/internal/context.h"

namespace arbiter::rules::internal {

// Changes every stock of the rulebook by its rate for some days. Stocks that a command of the turn
// wrote start from now.
void pass_stocks(ReactionContext& context, std::int64_t days);

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
