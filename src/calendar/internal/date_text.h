// Reads a text in the words of one calendar, with the position of each part. Does not check that
// the day exists.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "calendar/calendar.h"
#include "calendar/internal/calendar_data.h"
#include "calendar/internal/numerals.h"

namespace arbiter::calendar::internal {

struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
};

// The beginning of a date, or a 纪年 by itself.
struct EraReading {
    std::string name;  // blanks in it made one space; "" when none is written
    std::optional<Numeral> year;
};

struct WeekdayReading {
    Span span;
    std::size_t day = 0;
    std::size_t form = 0;
};

struct DateReading {
    EraReading era;
    // The month with the mark of a leap month before it, without 月 unless it is a name.
    Span month_span;
    std::optional<Numeral> month_number;  // nothing when a name is written
    int month = 0;
    bool leap = false;
    Span day_span;  // 初 included
    Numeral day;
    bool lunar = false;
    bool iso = false;
    std::optional<WeekdayReading> weekday;
    std::optional<TimeOfDay> time;
};

// The whole text, or nothing.
std::optional<DateReading> read_date(const CalendarData& calendar, std::string_view text);
// 开阳历230年, 230年, 2024, 开阳历.
std::optional<EraReading> read_era(std::string_view text);

}  // namespace arbiter::calendar::internal
