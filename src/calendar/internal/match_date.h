// Finds the calendar that a text is written in and the date that it states.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "calendar/calendar.h"
#include "calendar/internal/calendar_data.h"
#include "calendar/internal/date_text.h"

namespace arbiter::calendar::internal {

// A date, with the calendar and the reading that it was taken from.
struct DateMatch {
    const CalendarData* calendar = nullptr;
    DateReading reading;
    std::optional<EraReading> separate;  // of a 纪年 in a text of its own
    Date date;
};

// The best match of a date and a separate era text ("" for none) among the calendars, or among
// those named `only` unless it is empty. Nothing if no calendar reads both texts, if they
// contradict each other or if there is no such day.
std::optional<DateMatch> match_date(std::span<const CalendarData> calendars, std::string_view only,
                                    std::string_view date, std::string_view era);

// Whether a calendar reads the text, also if there is no such day.
bool has_form(std::span<const CalendarData> calendars, std::string_view date);

}  // namespace arbiter::calendar::internal
