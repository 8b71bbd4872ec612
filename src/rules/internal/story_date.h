// StoryDate: the date of a story, as the clock of a rulebook finds it in a document, and the days
// that pass between two dates. Nothing is guessed: an unknown difference is nullopt.
#pragma once

#include <cstdint>
#include <optional>

#include "calendar/calendar.h"
#include "rules/rulebook.h"

namespace arbiter::rules::internal {

// The furthest day that counts, by the last date that could be read.
struct DayMark {
    calendar::DateTexts date;
    std::int64_t behind = 0;  // days that this date is before the furthest one
};

class StoryDate {
  public:
    // Borrows both.
    StoryDate(const Clock& clock, const calendar::Calendars& calendars)
        : clock_(clock), calendars_(calendars) {}

    // The date of a document as it is written.
    [[nodiscard]] calendar::DateTexts texts(const value::Value& document) const;
    [[nodiscard]] std::optional<calendar::Date> parse(const calendar::DateTexts& texts) const;
    // Days from one date to another, negative if it is before. A year that only one of them has
    // is left out.
    [[nodiscard]] std::optional<std::int64_t> days(const calendar::DateTexts& from,
                                                   const calendar::DateTexts& to) const;
    // Moves the mark to the present date. True if a day begins that was not reached before: another
    // spelling, an unreadable date or a step back is not one. As long as no date could be read,
    // every other text is a day.
    bool advance(DayMark& mark, const calendar::DateTexts& now) const;

    // Whether a changed path is, holds or is part of a place of the date.
    [[nodiscard]] bool is_near(const value::Path& path) const;

  private:
    const Clock& clock_;
    const calendar::Calendars& calendars_;
};

}  // namespace arbiter::rules::internal
