// The calendars of data/calendars, embedded into the program.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "calendar/calendar.h"

namespace arbiter::calendar {

struct ShippedText {
    std::string_view file;  // without extension: "gregorian"
    std::string_view json;
};
std::span<const ShippedText> shipped_calendars() noexcept;

// All of them compiled: once, and safe to share between threads.
const Calendars& default_calendars();
// The same, for what keeps the calendars that it was made with.
std::shared_ptr<const Calendars> shared_calendars();

}  // namespace arbiter::calendar
