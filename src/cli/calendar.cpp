#include "cli/calendar.h"

#include <charconv>
#include <cstdio>

#include "cli/profiles.h"
#include "config/rulebooks.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;

Exit no(const Call& call, ErrorCode code, std::vector<std::string> words) {
    report(call.console, base::Error(code, std::move(words)), "arbiter", {});
    return Exit::kNo;
}

std::string clock(int minute) {
    char text[8];
    std::snprintf(text, sizeof text, "%02d:%02d", minute / 60 % 24, minute % 60);
    return text;
}

void describe(const Console& console, const calendar::Calendars& calendars,
              const calendar::Date& date) {
    const auto line = [&](const base::TextView& label, const std::string& text) {
        console.print(console.painted(console.say(label), Color::kDim) + text + "\n");
    };
    std::string calendar = date.calendar;
    for (const calendar::CalendarTitle& title : calendars.titles()) {
        if (title.name == date.calendar) {
            calendar += " — " + std::string(console.say({title.english, title.chinese}));
        }
    }
    line({"calendar  ", "历法  "}, calendar);
    if (!date.era.empty()) {
        line({"era       ", "纪年  "}, date.era);
    }
    if (date.year) {
        line({"year      ", "年    "}, std::to_string(*date.year));
    }
    if (date.month > 0) {
        line({"month     ", "月    "},
             std::to_string(date.month) +
                 std::string(date.leap ? console.say({" (leap month)", "（闰月）"}) : ""));
    }
    line({"day       ", "日    "}, std::to_string(date.day));
    if (date.minute) {
        line({"time      ", "时间  "},
             clock(*date.minute) +
                 std::string(date.phase ? console.say({" (about)", "（约）"}) : ""));
    }
}

}  // namespace

Exit run_calendar(const Call& call) {
    config::LoadedCalendars loaded{calendar::shared_calendars(),
                                   std::string(call.value("--calendar", ""))};
    const bool is_named =
        call.has("--calendar") && !config::is_file(loaded.only) && !loaded.only.ends_with(".json");
    if (call.has("--calendar") && !is_named) {
        auto own = config::load_calendars(loaded.only);
        if (!own) {
            report(call.console, own.error());
            return Exit::kTrouble;
        }
        loaded = *std::move(own);
    }
    const calendar::Calendars& calendars = *loaded.all;
    const std::string& text = call.arguments[0];
    const std::string_view only = loaded.only;
    if (is_named) {
        std::string names;
        bool known = false;
        for (const calendar::CalendarTitle& title : calendars.titles()) {
            names += (names.empty() ? "" : "|") + std::string(title.name);
            known = known || title.name == only;
        }
        if (!known) {
            report(call.console,
                   base::Error(ErrorCode::kBadOptionValue,
                               {"--calendar", std::string(only), names + "|FILE.yaml"}),
                   "arbiter", {});
            return Exit::kTrouble;
        }
    }
    std::int64_t days = 0;
    if (call.has("--plus")) {
        std::string_view number = call.value("--plus", "");
        number.remove_prefix(number.starts_with('+') ? 1 : 0);
        const auto [end, error] =
            std::from_chars(number.data(), number.data() + number.size(), days);
        if (error != std::errc() || end != number.data() + number.size()) {
            report(
                call.console,
                base::Error(ErrorCode::kBadOptionValue, {"--plus", std::string(number), "30, -7"}),
                "arbiter", {});
            return Exit::kTrouble;
        }
    }
    const auto date = calendars.parse(text, only);
    if (!date) {
        return no(call, ErrorCode::kDateNotRead, {text});
    }
    if (!call.has("--plus") && !call.has("--until")) {
        describe(call.console, calendars, *date);
        return Exit::kDone;
    }
    if (call.has("--plus")) {
        const auto sum = calendars.plus_days(*date, days);
        const auto printed = sum ? calendars.print(*sum, text) : std::nullopt;
        if (!printed) {
            return no(call, ErrorCode::kDateBeyondEnd, {text, std::to_string(days)});
        }
        call.console.print(*printed + "\n");
    }
    if (call.has("--until")) {
        const std::string other(call.value("--until", ""));
        const auto to = calendars.parse(other, only);
        if (!to) {
            return no(call, ErrorCode::kDateNotRead, {other});
        }
        const auto between = calendars.days_between(*date, *to);
        if (!between) {
            return no(call, ErrorCode::kDateNoAnswer, {text, other});
        }
        call.console.print(std::to_string(*between) + "\n");
    }
    return Exit::kDone;
}

}  // namespace arbiter::cli
