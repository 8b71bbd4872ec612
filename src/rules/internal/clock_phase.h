// ClockPhase: midnight, the rules for every day that has passed, and the values at the start of a
// day.
#pragma once

#include <optional>

#include "calendar/calendar.h"
#include "rules/internal/context.h"

namespace arbiter::rules::internal {

class ClockPhase {
  public:
    explicit ClockPhase(ReactionContext& context)
        : context_(context),
          clock_seen_(context.turn.before.document),
          daily_seen_(context.turn.before.document) {}

    void pass_midnight();
    void pass_days();
    // At the end of the turn.
    void keep_day();

  private:
    [[nodiscard]] calendar::DateTexts texts(const value::Value& document) const;
    [[nodiscard]] std::optional<calendar::Date> date(const value::Value& document) const;
    void next_weekday(const value::Value& seen, std::int64_t days);
    void warn_of_time();

    ReactionContext& context_;
    // The document as each phase saw it last.
    value::Value clock_seen_;
    value::Value daily_seen_;
};

}  // namespace arbiter::rules::internal
