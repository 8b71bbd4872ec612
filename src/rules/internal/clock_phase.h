// ClockPhase: midnight, the days that pass with their rules, and the numbers at the start of a day.
//
// A date or a time of day that cannot be read changes nothing; the next one that can is compared
// with the last one that could, which the rulebook remembers ("last_date", "last_time").
#pragma once

#include <cstdint>
#include <optional>

#include "calendar/calendar.h"
#include "rules/internal/context.h"
#include "rules/internal/paid_days.h"
#include "rules/internal/story_date.h"

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
    // Keeps what the next turns count from.
    void end_turn();

    // The date of a document as it is written, and parsed.
    [[nodiscard]] calendar::DateTexts texts(const value::Value& document) const;
    [[nodiscard]] std::optional<calendar::Date> parse(const calendar::DateTexts& texts) const;

  private:
    // A time of day with the date of its statement.
    struct Moment {
        calendar::DateTexts date;
        std::string time;
    };
    [[nodiscard]] StoryDate date() const;
    [[nodiscard]] Moment moment(const value::Value& document) const;
    // The moment that the present one is compared with. Remembers it while the time is unreadable.
    Moment last_moment(const Moment& now);
    [[nodiscard]] bool is_past_midnight(const Moment& was, const Moment& is) const;
    DayStep step_to(const calendar::DateTexts& was, const calendar::DateTexts& is);
    void move_weekday(const value::Value& seen, std::int64_t days);
    // Adds a warning to the commands that changed a place of which `is_about` is true.
    template <typename About>
    void warn(proposal::Warning warning, About is_about);
    void warn_of_date(proposal::Warning warning);

    ReactionContext& context_;
    PaidDays paid_;
    // The document as each phase saw it last.
    value::Value clock_seen_;
    value::Value daily_seen_;
};

}  // namespace arbiter::rules::internal
