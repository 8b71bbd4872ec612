// DayLimits: the numbers that limits per day count from.
//
// A rulebook keeps them in its memory: "day": {era, date, behind} is the day, "day_values":
// {path: number} are the numbers that changed places had when it began. Other places have the
// number of the start of the turn.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/check.h"
#include "rules/internal/story_date.h"

namespace arbiter::rules::internal {

class DayLimits {
  public:
    // Requires a clock.
    explicit DayLimits(const Rulebook& book)
        : clock_(*book.clock), calendars_(book.calendars), limits_(book.daily_limits) {}

    [[nodiscard]] const Clock& clock() const noexcept { return clock_; }

    // The states that a day is judged by. `meta` is that of now.
    struct Turn {
        const engine::State& start;
        const value::Object& meta;
        const value::Value& document;
    };
    // Begins a new day if the date has moved on since the last call. False: nothing changed.
    bool follow(value::Object& memory, const Turn& turn) const;
    // Keeps the numbers of places that the turn changed. To be called at its end.
    void keep(value::Object& memory, const Turn& turn) const;

  private:
    [[nodiscard]] DayMark recall(const value::Object& memory, const Turn& turn) const;

    Clock clock_;
    std::shared_ptr<const calendar::Calendars> calendars_;
    std::vector<DailyLimit> limits_;
};

// Follows the date from command to command, so that those behind a new date have the allowance of
// the new day. Refuses nothing.
class DayCheck final : public engine::Check {
  public:
    explicit DayCheck(const Rulebook& book);
    [[nodiscard]] const value::Pattern& place() const noexcept override { return place_; }
    [[nodiscard]] engine::CheckResult judge(const Case&) const override { return {}; }
    [[nodiscard]] bool follows() const noexcept override { return true; }
    void follow(value::Object& meta, const engine::State& start,
                const value::Value& document) const override;

  private:
    DayLimits days_;
    std::string book_;
    value::Pattern place_;
};

}  // namespace arbiter::rules::internal
