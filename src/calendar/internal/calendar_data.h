// One compiled calendar, and counting with it: days of months and years, no texts.
//
// Years are counted from any side of 0. `with_leap` says whether the leap rule counts: it does not
// in an era whose first year the rule does not know.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "calendar/calendar.h"

namespace arbiter::calendar::internal {

struct Month {
    int days = 0;
    int leap_days = 0;  // in a leap year; the same where it makes no difference
    std::vector<std::string> names;
};

// A leap month behind `month` of one year.
struct LeapMonth {
    std::int64_t year = 0;
    int month = 0;
    int days = 0;
    std::int64_t days_before = 0;  // of the leap months of all earlier years
};

struct Era {
    std::string name;
    std::int64_t first = 1;  // its year 1, in the years of the calendar
    bool backward = false;
};

struct HourNames {
    std::vector<std::string> names;
    int begin = 0;  // the minute at which the first begins
    int minutes = 0;
    int quarter = 0;
};

struct Phase {
    std::string name;
    int minute = 0;
};

struct Daypart {
    std::string name;
    int from = 0;  // hours
    int to = 0;
};

// The names of parts of a day and of the days of the week.
struct DayNames {
    HourNames hours;
    std::vector<Phase> phases;
    std::vector<Daypart> dayparts;
    std::vector<std::vector<std::string>> week;
};

struct CalendarData {
    enum class Leap : std::uint8_t { kNone, kGregorian, kList };
    // Which texts without an era are read in it.
    enum class Claim : std::uint8_t { kNone, kNumbers, kLunar, kAll };

    std::string name;
    std::string english;
    std::string chinese;
    std::vector<Month> months;
    std::vector<std::int64_t> days_before;  // of the months before each, in a common year
    std::int64_t days_common = 0;
    int leap_extra = 0;  // days that a leap year has more
    Leap leap = Leap::kNone;
    std::vector<LeapMonth> leap_months;  // in order of years
    std::vector<Era> eras;
    bool any_era = false;
    bool lunar_days = false;
    bool iso = false;
    Claim without_era = Claim::kNone;
    std::vector<std::pair<std::string, std::string>> counter;
    DayNames day;

    [[nodiscard]] bool is_counter() const noexcept { return !counter.empty(); }
    [[nodiscard]] const Era* find_era(std::string_view era) const noexcept;
    // Whether the leap rule holds for a date.
    [[nodiscard]] bool has_leap_years(const Date& date) const noexcept;
    // The listed leap month of a year, or nullptr.
    [[nodiscard]] const LeapMonth* leap_month_of(std::int64_t year) const noexcept;
    // A leap month of the text that no list contains: its neighbours are unknown.
    [[nodiscard]] bool is_loose(const Date& date) const noexcept;
    [[nodiscard]] bool is_valid(const Date& date) const noexcept;

    // Days from the beginning of year 0, or of the year for a date without one. The date is valid
    // and not loose.
    [[nodiscard]] std::int64_t number_of(const Date& date) const noexcept;
    // Puts the date of a number into `date`, whose calendar, era and lack of a year stay. False
    // when it is beyond base::kCalendarYearMax.
    [[nodiscard]] bool set_number(Date& date, std::int64_t number) const noexcept;

  private:
    [[nodiscard]] int days_of(const Date& date) const noexcept;
    [[nodiscard]] std::int64_t start_of(std::int64_t year, bool with_leap) const noexcept;
    [[nodiscard]] bool is_leap_year(std::int64_t year) const noexcept;
};

}  // namespace arbiter::calendar::internal
