// ListFormCheck: warns of texts that should be a list and are not: "力量;白刃", "力量:2;白刃:2".
#pragma once

#include <string>
#include <string_view>

#include "engine/check.h"

namespace arbiter::rules::internal {

// Whether every member of a list is a name, or a name with a whole number. A single word without a
// number (无) is an empty list. Separators may be wide.
bool is_list(std::string_view text, bool numbers);

class ListFormCheck final : public engine::Check {
  public:
    // `numbers`: the members have numbers.
    ListFormCheck(value::Pattern place, bool numbers)
        : place_(std::move(place)), numbers_(numbers) {}
    [[nodiscard]] const value::Pattern& place() const noexcept override { return place_; }
    [[nodiscard]] engine::CheckResult judge(const Case& about) const override;

  private:
    value::Pattern place_;
    bool numbers_;
};

}  // namespace arbiter::rules::internal
