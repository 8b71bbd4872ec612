// Reads times of day: 08:30, 8点半, 下午3点, 子时三刻, 正午.
#pragma once

#include <optional>
#include <string_view>

#include "calendar/calendar.h"
#include "calendar/internal/calendar_data.h"

namespace arbiter::calendar::internal {

// The time that the whole text states, or nothing.
std::optional<TimeOfDay> read_time(const DayNames& day, std::string_view text);

}  // namespace arbiter::calendar::internal
