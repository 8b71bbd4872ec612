// ClockPhase: midnight, the days that pass with their rules, and the values at the start of a day.
#pragma once

#include <cstdint>
#include <optional>

#include "calendar/calendar.h"
#include "rules/internal/context.h"

namespace arbiter::rules::internal {

// The change of the date since the last round.
struct DayStep {
    // Days that have passed, negative if the date went back; nothing if they cannot be counted.
    std::optional<std::int64_t> days;
    // A command set the date for the first time: the scene is set, no time has passed.
    bool is_first = false;
};

class ClockPhase {
  public:
    explicit ClockPhase(ReactionContext& context);

    void pass_midnight();
    // Compares the date with the last one that could be read, and moves the weekday with it.
    DayStep count_days();
    // The daily rules and stocks. Values that a command of the turn wrote are up to date already.
    void pass_days(const DayStep& step);
    // At the end of the turn.
    void keep_day();

    // The date of a document as it is written, and parsed.
    [[nodiscard]] calendar::DateTexts texts(const value::Value& document) const;
    [[nodiscard]] std::optional<calendar::Date> parse(const calendar::DateTexts& texts) const;

  private:
    DayStep step_to(const calendar::DateTexts& was, const calendar::DateTexts& is);
    void move_weekday(const value::Value& seen, std::int64_t days);
    void warn(proposal::Warning warning);
    [[nodiscard]] std::string day_of(const value::Value& document) const;

    ReactionContext& context_;
    // The document as each phase saw it last.
    value::Value clock_seen_;
    value::Value daily_seen_;
};

}  // namespace arbiter::rules::internal
