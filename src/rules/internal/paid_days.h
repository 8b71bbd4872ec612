// PaidDays: the days that daily rules and stocks have been given, so that a date that was corrected
// does not give the same days again.
//
// A rulebook remembers how many days the date is behind the furthest one ("behind"), and for
// places that a command has written since, how far behind it was then ("restated").
#pragma once

#include <cstdint>
#include <string>

#include "rules/internal/context.h"

namespace arbiter::rules::internal {

class PaidDays {
  public:
    explicit PaidDays(ReactionContext& context);

    // The date has moved by some days, negative if it went back.
    void step(std::int64_t days);
    // The days before cannot be compared with those to come.
    void reset();
    // The days of the last step that a place has not been given yet.
    [[nodiscard]] std::int64_t due(const value::Path& place) const;

    // Whether the date is behind the furthest one, so that written places must be reported.
    [[nodiscard]] bool is_behind() const noexcept { return behind_ > 0; }
    // A command wrote the place: its days count from now.
    void restate(const value::Path& place);
    void save();

  private:
    void settle();

    ReactionContext& context_;
    std::int64_t behind_ = 0;
    std::int64_t fresh_ = 0;  // days of the last step beyond the furthest date
    value::Object restated_;
};

}  // namespace arbiter::rules::internal
