// Writes a date in the style of a text with another date.
#pragma once

#include <cstdint>
#include <optional>

#include "calendar/calendar.h"
#include "calendar/internal/match_date.h"

namespace arbiter::calendar::internal {

// `texts` with the date exchanged; `like` is their match. `days` is the distance between the two
// dates, if it is known. Nothing if the style of the texts cannot express the date.
std::optional<DateTexts> rewrite_date(const DateMatch& like, const DateTexts& texts,
                                      const Date& date, std::optional<std::int64_t> days);

}  // namespace arbiter::calendar::internal
