// The embedded calendars of data/calendars.
#pragma once

#include <span>
#include <string_view>

#include "calendar/calendar.h"

namespace arbiter::calendar {

struct ShippedText {
    std::string_view file;  // "gregorian.yaml"
    std::string_view json;
};
std::span<const ShippedText> shipped_calendars() noexcept;

// All of them compiled: once, and safe to share between threads.
const Calendars& default_calendars();

}  // namespace arbiter::calendar
