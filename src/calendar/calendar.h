// Calendars: parse, print and count the dates and times of a story.
//
// A calendar is data (docs/calendars.md describes the format): months, leap rule, eras, names of
// hours. A text is parsed as a whole or not at all, and nothing is guessed: an uncertain date or
// difference is nullopt. All functions are pure, total and bounded: no loop runs over days or
// years, and numbers beyond base::kCalendarYearMax are not parsed. A Calendars is immutable and may
// be shared between threads.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "value/diagnostic.h"
#include "value/value.h"

namespace arbiter::calendar {

namespace internal {
struct CalendarData;
}

// A parsed day. Plain data.
struct Date {
    std::string calendar;  // the name of its calendar
    // The era as it was written. Eras that a calendar counts together carry the name of the first
    // of them, and its year: 民国113年 is 公元 2024.
    std::string era;
    std::optional<std::int64_t> year;
    int month = 0;      // from 1; 0 in a calendar that only counts days
    bool leap = false;  // in the leap month (闰) behind `month`
    std::int64_t day = 0;
    std::optional<int> minute;  // of the day, 0 to 1439
    bool phase = false;         // the minute stands for a part of the day (黄昏), not for a moment

    friend bool operator==(const Date&, const Date&) = default;
};

// A time of day by itself.
struct TimeOfDay {
    int minute = 0;
    bool phase = false;
    friend bool operator==(const TimeOfDay&, const TimeOfDay&) = default;
};

// Whether a time of day is before another. A part of the day stands for its hour, give or take:
// where one of them is such a part, a difference below three hours says nothing.
[[nodiscard]] bool is_earlier(const TimeOfDay& time, const TimeOfDay& other) noexcept;

// A date in one text, or spread over three: 纪年, 日期, 时间. Empty ones say nothing.
struct DateTexts {
    std::string era;
    std::string date;
    std::string time;
    friend bool operator==(const DateTexts&, const DateTexts&) = default;
};

// The name and the titles of a calendar.
struct CalendarTitle {
    std::string_view name;
    std::string_view english;
    std::string_view chinese;
};

class Calendars {
  public:
    Calendars(Calendars&&) noexcept;
    Calendars& operator=(Calendars&&) noexcept;
    ~Calendars();

    // Compiles all calendars together, since one may take its hours and week from another. Of two
    // calendars that read a text equally well, the first counts. Fails with the first error.
    static std::expected<Calendars, value::Diagnostic> compile(
        std::span<const value::Value> documents);

    // These calendars and some more, which come first and replace those of the same name. Fails
    // with the first error.
    [[nodiscard]] std::expected<Calendars, value::Diagnostic> with(
        std::span<const value::Value> documents) const;

    [[nodiscard]] std::vector<CalendarTitle> titles() const;

    // Parses a date. The era selects the calendar; without an era, the way of writing days does.
    // `only` restricts it to one calendar, whatever its era.
    [[nodiscard]] std::optional<Date> parse(std::string_view text,
                                            std::string_view only = {}) const;
    // Whether a text is written as a date, also as one of a day that does not exist (2月30日).
    [[nodiscard]] bool has_form(std::string_view text) const;
    // A separate 纪年 may be an era with a year, a year or only a name. It does not choose between
    // calendars unless one lists it; a year that contradicts the date's own gives nothing.
    [[nodiscard]] std::optional<Date> parse(const DateTexts& texts,
                                            std::string_view only = {}) const;
    // 08:30, 8点半, 下午3点, 子时三刻, 正午. A 时辰 without more stands for its beginning.
    [[nodiscard]] std::optional<TimeOfDay> parse_time(std::string_view text) const;

    // Days from one date to another, negative when it is before. Known only within one calendar
    // and era. Without years, a step back by more than half a year leads into the next year. A
    // difference across a leap month that the calendar does not list is unknown.
    [[nodiscard]] std::optional<std::int64_t> days_between(const Date& from, const Date& to) const;
    // The date some days later or earlier, with the same time of day. A date without a year wraps.
    [[nodiscard]] std::optional<Date> plus_days(const Date& date, std::int64_t days) const;

    // Prints the date in the style of a text with another date: digits, spaces, time of day and the
    // rest of the text stay, a weekday moves with the days, parts that `like` lacks (a year) are
    // left out. Nothing if `like` is not a date of the same calendar, has parts that the date
    // lacks, or cannot express it (a year before the first). print(parse(text), text) is text.
    [[nodiscard]] std::optional<std::string> print(const Date& date, std::string_view like) const;
    [[nodiscard]] std::optional<DateTexts> print(const Date& date, const DateTexts& like) const;

    // 星期三 and 2 give 星期五, in the form that was written.
    [[nodiscard]] std::optional<std::string> weekday_plus(std::string_view weekday,
                                                          std::int64_t days) const;

  private:
    Calendars();
    [[nodiscard]] const internal::CalendarData* find(std::string_view name) const;

    std::vector<internal::CalendarData> all_;
};

}  // namespace arbiter::calendar
