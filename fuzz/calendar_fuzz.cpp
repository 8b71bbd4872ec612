// Any bytes as a date: nothing, or a date that is printed as it stood, to which days can be added
// and taken away again. The first bytes are the days, the rest the text.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "base/check.h"
#include "calendar/shipped.h"

using namespace arbiter;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::int64_t days = 0;
    if (size < sizeof days) {
        return 0;
    }
    std::memcpy(&days, data, sizeof days);
    const std::string_view text(reinterpret_cast<const char*>(data) + sizeof days,
                                size - sizeof days);
    const calendar::Calendars& calendars = calendar::default_calendars();
    if (const auto time = calendars.parse_time(text)) {
        CHECK(time->minute >= 0 && time->minute < 24 * 60);
    }
    static_cast<void>(calendars.weekday_plus(text, days));
    static_cast<void>(
        calendars.parse(calendar::DateTexts{std::string(text), "10月15日", std::string(text)}));
    const auto date = calendars.parse(text);
    if (!date) {
        return 0;
    }
    CHECK(calendars.print(*date, text) == text);
    CHECK(calendars.days_between(*date, *date) == 0);
    for (const std::int64_t step : {days, days % 100'000}) {
        const auto sum = calendars.plus_days(*date, step);
        if (!sum || step == std::numeric_limits<std::int64_t>::min()) {
            continue;
        }
        const auto back = calendars.plus_days(*sum, -step);
        CHECK(back == *date);
        if (date->year || date->month == 0) {
            CHECK(calendars.days_between(*date, *sum) == step);
        }
        const auto printed = calendars.print(*sum, text);
        if (printed && printed->size() <= 256) {
            CHECK(calendars.parse(*printed, sum->calendar) == sum);
        }
    }
    return 0;
}
