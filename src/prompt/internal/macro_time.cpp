#include "prompt/internal/macro_time.h"

#include <array>
#include <charconv>

#include "engine/engine.h"

namespace arbiter::prompt::internal {
namespace {

using Given = std::optional<std::string>;

constexpr std::int64_t kMinute = 60'000;
constexpr std::int64_t kDay = 24 * 60 * kMinute;

constexpr std::array<std::string_view, 7> kDays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                   "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 7> kChineseDays = {"星期日", "星期一", "星期二", "星期三",
                                                          "星期四", "星期五", "星期六"};

// Fields of an instant, taken from its text 2026-11-16T08:41:00.000Z.
struct Clock {
    std::string text;
    std::size_t weekday;

    [[nodiscard]] std::string date() const { return text.substr(0, 10); }
    [[nodiscard]] std::string minutes() const { return text.substr(11, 5); }
};
std::optional<Clock> clock_of(const Call& call, std::int64_t minutes) {
    // Four-digit years only.
    constexpr std::int64_t kInstantMax = 253'402'300'799'999;
    if (!call.world.now || *call.world.now < 0 || *call.world.now > kInstantMax - kDay) {
        return std::nullopt;
    }
    const std::int64_t here = *call.world.now + minutes * kMinute;
    if (here < 0) {
        return std::nullopt;
    }
    return Clock{engine::print_instant(here), static_cast<std::size_t>((here / kDay + 4) % 7)};
}
std::optional<Clock> clock_of(const Call& call) {
    constexpr std::int32_t kZoneMax = 24 * 60;
    const std::int32_t minutes = call.world.utc_minutes;
    return minutes > kZoneMax || minutes < -kZoneMax ? std::nullopt : clock_of(call, minutes);
}

std::string_view weekday_of(const Call& call, const Clock& clock) {
    return call.world.language == base::Language::kChinese ? kChineseDays[clock.weekday]
                                                           : kDays[clock.weekday];
}

Given give_time(const Call& call) {
    const auto clock = clock_of(call);
    return clock ? Given(clock->minutes()) : std::nullopt;
}
Given give_date(const Call& call) {
    const auto clock = clock_of(call);
    return clock ? Given(clock->date()) : std::nullopt;
}
Given give_weekday(const Call& call) {
    const auto clock = clock_of(call);
    return clock ? Given(std::string(weekday_of(call, *clock))) : std::nullopt;
}

// Format letters, longest first.
std::string formatted(const Call& call, const Clock& clock, std::string_view format) {
    const auto digits = [&clock](std::size_t at, std::size_t count) {
        return clock.text.substr(at, count);
    };
    const auto short_form = [](std::string text) {
        return text.size() == 2 && text[0] == '0' ? text.substr(1) : text;
    };
    const int hour = (clock.text[11] - '0') * 10 + (clock.text[12] - '0');
    const std::string twelve = std::to_string(hour % 12 == 0 ? 12 : hour % 12);
    const std::array<std::pair<std::string_view, std::string>, 16> letters = {{
        {"YYYY", digits(0, 4)},
        {"YY", digits(2, 2)},
        {"MM", digits(5, 2)},
        {"M", short_form(digits(5, 2))},
        {"DD", digits(8, 2)},
        {"D", short_form(digits(8, 2))},
        {"HH", digits(11, 2)},
        {"H", short_form(digits(11, 2))},
        {"hh", twelve.size() == 1 ? "0" + twelve : twelve},
        {"h", twelve},
        {"mm", digits(14, 2)},
        {"ss", digits(17, 2)},
        {"dddd", std::string(weekday_of(call, clock))},
        {"A", hour < 12 ? "AM" : "PM"},
        {"a", hour < 12 ? "am" : "pm"},
        {"Z", "UTC"},
    }};
    std::string out;
    while (!format.empty()) {
        if (format[0] == '[' && format.find(']') != std::string_view::npos) {
            const std::size_t end = format.find(']');
            out.append(format.substr(1, end - 1));
            format.remove_prefix(end + 1);
            continue;
        }
        std::size_t taken = 0;
        for (const auto& [letter, text] : letters) {
            if (format.starts_with(letter)) {
                out += text;
                taken = letter.size();
                break;
            }
        }
        if (taken == 0) {
            out += format[0];
            taken = 1;
        }
        format.remove_prefix(taken);
    }
    return out;
}
Given give_format(const Call& call) {
    const auto clock = clock_of(call);
    return clock ? Given(formatted(call, *clock, call.arguments[0])) : std::nullopt;
}

std::string span_of(const Call& call, std::int64_t ms) {
    struct Unit {
        std::int64_t ms;
        std::string_view english;
        std::string_view chinese;
    };
    constexpr auto kUnits = std::to_array<Unit>({{kDay, "day", "天"},
                                                 {60 * kMinute, "hour", "小时"},
                                                 {kMinute, "minute", "分钟"},
                                                 {1000, "second", "秒"}});
    const std::int64_t size = ms < 0 ? -ms : ms;
    for (const Unit& unit : kUnits) {
        if (size >= unit.ms || unit.ms == 1000) {
            const std::string count = std::to_string(size / unit.ms);
            return call.world.language == base::Language::kChinese
                       ? count + " " + std::string(unit.chinese)
                       : count + " " + std::string(unit.english) + (count == "1" ? "" : "s");
        }
    }
    return "";
}
Given give_idle(const Call& call) {
    if (!clock_of(call) || !call.world.last_user_at || *call.world.last_user_at < 0 ||
        *call.world.last_user_at > *call.world.now) {
        return std::nullopt;
    }
    return span_of(call, *call.world.now - *call.world.last_user_at);
}
Given give_difference(const Call& call) {
    const auto a = engine::parse_instant(call.arguments[0]);
    const auto b = engine::parse_instant(call.arguments[1]);
    return a && b ? Given(span_of(call, *a - *b)) : std::nullopt;
}

constexpr auto kRows = std::to_array<MacroRow>({
    {"time", 0, 0, false, false, give_time},
    {"isotime", 0, 0, false, false, give_time},
    {"date", 0, 0, false, false, give_date},
    {"isodate", 0, 0, false, false, give_date},
    {"weekday", 0, 0, false, false, give_weekday},
    {"datetimeformat", 1, 1, false, false, give_format},
    {"idle_duration", 0, 0, false, false, give_idle},
    {"idleduration", 0, 0, false, false, give_idle},
    {"timediff", 2, 2, true, false, give_difference},
});

}  // namespace

std::span<const MacroRow> time_rows() {
    return kRows;
}

}  // namespace arbiter::prompt::internal
