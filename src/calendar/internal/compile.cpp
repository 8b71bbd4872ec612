#include "calendar/internal/compile.h"

#include <algorithm>
#include <initializer_list>

#include "base/limits.h"
#include "calendar/internal/numerals.h"
#include "calendar/internal/time_text.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::calendar::internal {
namespace {

using base::ErrorCode;
using value::Value;

// Reads one document; the first error stays, and what follows it does no harm.
class Compiler {
  public:
    CalendarData compile(const Value& document) {
        CalendarData calendar;
        if (!document.is_object()) {
            fail(ErrorCode::kCalendarExpected, "{name, title, months, …}");
            return calendar;
        }
        known(document,
              {"name", "title", "months", "leap", "eras", "any_era", "lunar_days", "without_era",
               "iso", "counter", "day_of", "hours", "phases", "dayparts", "week"});
        calendar.name = text_at(document, "name");
        with(document, "title", true, [&](const Value& title) {
            known(title, {"en", "zh"});
            calendar.english = text_at(title, "en");
            calendar.chinese = text_at(title, "zh");
        });
        const bool counts = document.as_object().contains("counter");
        with(document, "months", !counts, [&](const Value& list) { months(list, calendar); });
        with(document, "leap", false, [&](const Value& rule) { leap(rule, calendar); });
        with(document, "eras", false, [&](const Value& list) { eras(list, calendar); });
        with(document, "counter", false, [&](const Value& list) { counter(list, calendar); });
        with(document, "without_era", false, [&](const Value& word) { claim(word, calendar); });
        flag(document, "any_era", calendar.any_era);
        flag(document, "lunar_days", calendar.lunar_days);
        flag(document, "iso", calendar.iso);
        with(document, "hours", false, [&](const Value& data) { hours(data, calendar.day.hours); });
        with(document, "phases", false, [&](const Value& data) { phases(data, calendar.day); });
        with(document, "dayparts", false, [&](const Value& data) { dayparts(data, calendar.day); });
        with(document, "week", false, [&](const Value& data) { week(data, calendar.day); });
        return calendar;
    }

    [[nodiscard]] std::optional<value::Diagnostic> error(std::size_t document) const {
        if (!error_) {
            return std::nullopt;
        }
        return value::Diagnostic{path_of_error_, false, *error_, document};
    }

  private:
    void fail(ErrorCode code, std::string_view word) {
        if (!error_) {
            error_.emplace(code, std::vector<std::string>{std::string(word)});
            path_of_error_ = path_;
        }
    }

    // Goes into a member for a while.
    template <typename Read>
    void inside(value::Segment segment, Read read) {
        path_.push_back(std::move(segment));
        read();
        path_.pop_back();
    }
    template <typename Read>
    void with(const Value& object, std::string_view key, bool required, Read read) {
        const Value* member = object.is_object() ? object.as_object().find(key) : nullptr;
        if (member == nullptr) {
            if (required) {
                fail(ErrorCode::kCalendarMissing, key);
            }
            return;
        }
        inside(key, [&] { read(*member); });
    }
    template <typename Read>
    void each(const Value& list, std::string_view expected, std::size_t most, Read read) {
        if (!list.is_array() || list.as_array().empty() || list.as_array().size() > most) {
            fail(ErrorCode::kCalendarExpected, expected);
            return;
        }
        std::int64_t index = 0;
        for (const Value& item : list.as_array()) {
            inside(index++, [&] { read(item); });
        }
    }
    template <typename Read>
    void each_member(const Value& object, std::string_view expected, Read read) {
        if (!object.is_object() || object.as_object().size() > base::kCalendarListMax) {
            fail(ErrorCode::kCalendarExpected, expected);
            return;
        }
        for (const auto& [key, member] : object.as_object()) {
            inside(key, [&] {
                if (std::string_view(key).empty()) {
                    fail(ErrorCode::kCalendarExpected, "a name");
                }
                read(std::string(std::string_view(key)), member);
            });
        }
    }
    void known(const Value& object, std::initializer_list<std::string_view> names) {
        if (!object.is_object()) {
            return;
        }
        for (const auto& [key, member] : object.as_object()) {
            if (std::ranges::find(names, std::string_view(key)) == names.end()) {
                inside(key, [&] { fail(ErrorCode::kCalendarUnknown, key); });
            }
        }
    }

    std::string text(const Value& data) {
        if (!data.is_string() || trimmed(data.as_string()).empty() ||
            data.as_string().size() > base::kDateTextBytesMax) {
            fail(ErrorCode::kCalendarExpected, "\"…\"");
            return {};
        }
        return std::string(data.as_string());
    }
    std::string text_at(const Value& object, std::string_view key) {
        std::string found;
        with(object, key, true, [&](const Value& data) { found = text(data); });
        return found;
    }
    void flag(const Value& object, std::string_view key, bool& out) {
        with(object, key, false, [&](const Value& data) {
            if (!data.is_bool()) {
                fail(ErrorCode::kCalendarExpected, "true | false");
            } else {
                out = data.as_bool();
            }
        });
    }
    std::int64_t number(const Value& data, std::int64_t least, std::int64_t most) {
        if (!data.is_int() || data.as_int() < least || data.as_int() > most) {
            fail(ErrorCode::kCalendarExpected,
                 std::to_string(least) + " … " + std::to_string(most));
            return least;
        }
        return data.as_int();
    }
    std::int64_t number_at(const Value& object, std::string_view key, std::int64_t least,
                           std::int64_t most) {
        std::int64_t found = least;
        with(object, key, true, [&](const Value& data) { found = number(data, least, most); });
        return found;
    }
    // "06:00"
    int minute(const Value& data) {
        const auto time = data.is_string() && data.as_string().size() <= 5
                              ? read_time({}, data.as_string())
                              : std::nullopt;
        if (!time) {
            fail(ErrorCode::kCalendarExpected, "\"00:00\" … \"23:59\"");
        }
        return time ? time->minute : 0;
    }

    void months(const Value& list, CalendarData& calendar) {
        each(list, "[{days: 30}, …]", base::kCalendarMonthsMax, [&](const Value& data) {
            known(data, {"days", "leap_days", "names"});
            Month month;
            const std::int64_t most = base::kCalendarMonthDaysMax;
            month.days = month.leap_days = static_cast<int>(number_at(data, "days", 1, most));
            with(data, "leap_days", false, [&](const Value& days) {
                month.leap_days = static_cast<int>(number(days, month.days, most));
            });
            with(data, "names", false, [&](const Value& names) {
                each(names, "[\"…\"]", base::kCalendarListMax,
                     [&](const Value& name) { month.names.push_back(text(name)); });
            });
            calendar.days_before.push_back(calendar.days_common);
            calendar.days_common += month.days;
            calendar.leap_extra += month.leap_days - month.days;
            calendar.months.push_back(std::move(month));
        });
    }

    void leap(const Value& rule, CalendarData& calendar) {
        if (rule == Value("none")) {
            return;
        }
        if (rule == Value("gregorian")) {
            calendar.leap = CalendarData::Leap::kGregorian;
            return;
        }
        calendar.leap = CalendarData::Leap::kList;
        each(rule, "none | gregorian | [{year, month, days}, …]", base::kCalendarListMax,
             [&](const Value& data) {
                 known(data, {"year", "month", "days"});
                 LeapMonth month;
                 month.year =
                     number_at(data, "year", -base::kCalendarYearMax, base::kCalendarYearMax);
                 month.month = static_cast<int>(number_at(
                     data, "month", 1, static_cast<std::int64_t>(calendar.months.size())));
                 month.days =
                     static_cast<int>(number_at(data, "days", 1, base::kCalendarMonthDaysMax));
                 calendar.leap_months.push_back(month);
             });
        std::ranges::sort(calendar.leap_months, {}, &LeapMonth::year);
        const auto twice = std::ranges::adjacent_find(calendar.leap_months, {}, &LeapMonth::year);
        if (twice != calendar.leap_months.end()) {
            fail(ErrorCode::kCalendarTwice, std::to_string(twice->year));
        }
        std::int64_t before = 0;
        for (LeapMonth& month : calendar.leap_months) {
            month.days_before = before;
            before += month.days;
        }
    }

    void eras(const Value& list, CalendarData& calendar) {
        each(list, "[{name: \"…\"}, …]", base::kCalendarListMax, [&](const Value& data) {
            known(data, {"name", "first", "backward"});
            Era era;
            era.name = text_at(data, "name");
            with(data, "first", false, [&](const Value& first) {
                era.first = number(first, -base::kCalendarYearMax, base::kCalendarYearMax);
            });
            flag(data, "backward", era.backward);
            if (calendar.find_era(era.name) != nullptr) {
                fail(ErrorCode::kCalendarTwice, era.name);
            }
            calendar.eras.push_back(std::move(era));
        });
    }

    void counter(const Value& list, CalendarData& calendar) {
        each(list, "[[\"第\", \"天\"], …]", base::kCalendarListMax, [&](const Value& pair) {
            if (!pair.is_array() || pair.as_array().size() != 2 ||
                !pair.as_array()[1].is_string()) {
                fail(ErrorCode::kCalendarExpected, "[\"第\", \"天\"]");
                return;
            }
            calendar.counter.emplace_back(text(pair.as_array()[0]),
                                          std::string(pair.as_array()[1].as_string()));
        });
    }

    void claim(const Value& word, CalendarData& calendar) {
        using enum CalendarData::Claim;
        constexpr std::pair<std::string_view, CalendarData::Claim> kWords[] = {
            {"none", kNone}, {"numbers", kNumbers}, {"lunar", kLunar}, {"all", kAll}};
        for (const auto& [name, value] : kWords) {
            if (word.is_string() && word.as_string() == name) {
                calendar.without_era = value;
                return;
            }
        }
        fail(ErrorCode::kCalendarExpected, "none | numbers | lunar | all");
    }

    void hours(const Value& data, HourNames& hours) {
        known(data, {"names", "begin", "minutes", "quarter"});
        with(data, "names", true, [&](const Value& names) {
            each(names, "[\"子\", …]", base::kCalendarListMax,
                 [&](const Value& name) { hours.names.push_back(text(name)); });
        });
        with(data, "begin", true, [&](const Value& time) { hours.begin = minute(time); });
        hours.minutes = static_cast<int>(number_at(data, "minutes", 1, 24 * 60));
        hours.quarter = static_cast<int>(number_at(data, "quarter", 1, 24 * 60));
    }

    void phases(const Value& data, DayNames& day) {
        each_member(data, "{日出: \"06:00\"}", [&](std::string name, const Value& time) {
            day.phases.push_back({std::move(name), minute(time)});
        });
    }

    void dayparts(const Value& data, DayNames& day) {
        each_member(data, "{下午: [12, 20]}", [&](std::string name, const Value& hours) {
            if (!hours.is_array() || hours.as_array().size() != 2) {
                fail(ErrorCode::kCalendarExpected, "[12, 20]");
                return;
            }
            const std::int64_t from = number(hours.as_array()[0], 0, 23);
            const std::int64_t to = number(hours.as_array()[1], from + 1, 24);
            day.dayparts.push_back({std::move(name), static_cast<int>(from), static_cast<int>(to)});
        });
    }

    void week(const Value& data, DayNames& day) {
        each(data, "[[\"星期一\"], …]", base::kCalendarListMax, [&](const Value& forms) {
            std::vector<std::string> names;
            each(forms, "[\"星期一\"]", base::kCalendarListMax,
                 [&](const Value& name) { names.push_back(text(name)); });
            day.week.push_back(std::move(names));
            if (day.week.back().size() != day.week.front().size()) {
                fail(ErrorCode::kCalendarExpected, std::to_string(day.week.front().size()));
            }
        });
    }

    value::Path path_;
    value::Path path_of_error_;
    std::optional<base::Error> error_;
};

}  // namespace

std::expected<std::vector<CalendarData>, value::Diagnostic> compile_calendars(
    std::span<const value::Value> documents) {
    const auto fail = [](std::size_t document, value::Path path, ErrorCode code, std::string word) {
        return std::unexpected(value::Diagnostic{std::move(path), false,
                                                 base::Error(code, {std::move(word)}), document});
    };
    if (documents.size() > base::kCalendarsMax) {
        return fail(base::kCalendarsMax, {}, ErrorCode::kCalendarExpected,
                    "0 … " + std::to_string(base::kCalendarsMax));
    }
    std::vector<CalendarData> calendars;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        Compiler compiler;
        CalendarData calendar = compiler.compile(documents[i]);
        if (auto error = compiler.error(i)) {
            return std::unexpected(std::move(*error));
        }
        if (std::ranges::find(calendars, calendar.name, &CalendarData::name) != calendars.end()) {
            return fail(i, {"name"}, ErrorCode::kCalendarTwice, calendar.name);
        }
        calendars.push_back(std::move(calendar));
    }
    for (std::size_t i = 0; i < documents.size(); ++i) {
        const Value* name = documents[i].as_object().find("day_of");
        if (name == nullptr) {
            continue;
        }
        const auto from = name->is_string()
                              ? std::ranges::find(calendars, name->as_string(), &CalendarData::name)
                              : calendars.end();
        // The source must have its own names, so that the order does not matter.
        if (from == calendars.end() ||
            documents[static_cast<std::size_t>(from - calendars.begin())].as_object().contains(
                "day_of")) {
            return fail(i, {"day_of"}, ErrorCode::kCalendarNoSuch,
                        name->is_string() ? std::string(name->as_string()) : "…");
        }
        calendars[i].day = from->day;
    }
    return calendars;
}

}  // namespace arbiter::calendar::internal
