// Compiles calendars from their data.
#pragma once

#include <expected>
#include <span>
#include <vector>

#include "calendar/internal/calendar_data.h"
#include "value/diagnostic.h"
#include "value/value.h"

namespace arbiter::calendar::internal {

// The calendars of the documents, then the `present` ones whose names they do not take. Fails with
// the first error; its `document` is the index of the calendar.
std::expected<std::vector<CalendarData>, value::Diagnostic> compile_calendars(
    std::span<const value::Value> documents, std::span<const CalendarData> present = {});

}  // namespace arbiter::calendar::internal
