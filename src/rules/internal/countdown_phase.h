// CountdownPhase: terms in days that start when they are set and run out as the date moves on.
//
// The days are counted step by step and remembered, since a date without a year does not show how
// many years have passed. A save without that memory is counted from its start date.
#pragma once

#include "rules/internal/clock_phase.h"
#include "rules/internal/context.h"

namespace arbiter::rules::internal {

class CountdownPhase {
  public:
    CountdownPhase(ReactionContext& context, const ClockPhase& clock);

    void run(const DayStep& step);

  private:
    struct Term {
        std::string era;
        std::string start;
        std::int64_t days = 0;  // that have passed
        bool is_over = false;
    };
    [[nodiscard]] std::optional<Term> recall(const Countdown& rule) const;
    // The term of a save that this rulebook has not counted yet; as of the document before the
    // round.
    [[nodiscard]] std::optional<Term> adopt(const Countdown& rule, double limit) const;
    [[nodiscard]] std::int64_t days_since(const std::string& start,
                                          const calendar::DateTexts& date) const;
    void count(const Countdown& rule, const DayStep& step);

    ReactionContext& context_;
    const ClockPhase& clock_;
    value::Value seen_;  // the document of the last round
    value::Object terms_;
    bool is_first_round_ = true;
};

}  // namespace arbiter::rules::internal
