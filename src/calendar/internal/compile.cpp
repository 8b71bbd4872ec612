#include "calendar/internal/compile.h"

#include <algorithm>

#include "base/limits.h"
#include "calendar/internal/numerals.h"
#include "calendar/internal/time_text.h"
#include "value/array.h"
#include "value/fields.h"

namespace arbiter::calendar::internal {
namespace {

using base::Error;
using base::ErrorCode;
using value::Fields;
using value::Presence;
using value::Value;

constexpr std::int64_t kYearMax = base::kCalendarYearMax;
constexpr std::int64_t kMonthDaysMax = base::kCalendarMonthDaysMax;
constexpr std::int64_t kDayMinutes = 24 * 60;

bool is_name(const Value& data) {
    return data.is_string() && !trimmed(data.as_string()).empty() &&
           data.as_string().size() <= base::kDateTextBytesMax;
}

std::string read_name(Fields& fields, std::string_view key) {
    const Value* found = fields.take(key, Presence::kRequired);
    if (found == nullptr) {
        return {};
    }
    if (!is_name(*found)) {
        fields.reject(key, "\"…\"", *found);
        return {};
    }
    return std::string(found->as_string());
}

// The elements of a list that is not empty and not too long; an absent one is empty.
std::vector<Fields::Item> read_list(Fields& fields, std::string_view key, std::string_view takes,
                                    std::size_t max = base::kCalendarListMax) {
    std::vector<Fields::Item> items = fields.strict_list(key, takes);
    const Value* found = fields.take(key);
    const bool wrong_size = found != nullptr && found->is_array() &&
                            (found->as_array().empty() || found->as_array().size() > max);
    if (wrong_size) {
        fields.reject(key, std::string(takes), *found);
        items.clear();
    }
    return items;
}

std::vector<std::string> read_names(Fields& fields, std::string_view key) {
    std::vector<std::string> names;
    for (const auto& [name, path] : read_list(fields, key, "[\"…\"]")) {
        if (is_name(name)) {
            names.emplace_back(name.as_string());
        } else {
            fields.error_at(path, value::wrong_value(key, "\"…\"", name));
        }
    }
    return names;
}

int read_number(Fields& fields, std::string_view key, std::int64_t min, std::int64_t max) {
    return static_cast<int>(fields.whole(key, min, max, Presence::kRequired).value_or(min));
}

// "06:00"
int read_minute(Fields& fields, std::string_view key) {
    const Value* found = fields.take(key, Presence::kRequired);
    const auto time = found != nullptr && found->is_string() && found->as_string().size() <= 5
                          ? read_time({}, found->as_string())
                          : std::nullopt;
    if (found != nullptr && !time) {
        fields.reject(key, "\"00:00\" … \"23:59\"", *found);
    }
    return time ? time->minute : 0;
}

void read_months(Fields& fields, CalendarData& calendar) {
    if (!fields.contains("months") && !fields.contains("counter")) {
        fields.missing("months");
    }
    for (const auto& [data, path] :
         read_list(fields, "months", "[{days: 30}, …]", base::kCalendarMonthsMax)) {
        Fields one = fields.inner(data, path);
        Month month;
        month.days = read_number(one, "days", 1, kMonthDaysMax);
        month.leap_days = static_cast<int>(
            one.whole("leap_days", month.days, kMonthDaysMax).value_or(month.days));
        month.names = read_names(one, "names");
        one.finish();
        calendar.days_before.push_back(calendar.days_common);
        calendar.days_common += month.days;
        calendar.leap_extra += month.leap_days - month.days;
        calendar.months.push_back(std::move(month));
    }
}

void read_leap(Fields& fields, CalendarData& calendar) {
    const Value* rule = fields.take("leap");
    if (rule == nullptr || *rule == Value("none")) {
        return;
    }
    if (*rule == Value("gregorian")) {
        calendar.leap = CalendarData::Leap::kGregorian;
        return;
    }
    calendar.leap = CalendarData::Leap::kList;
    const auto months = static_cast<std::int64_t>(calendar.months.size());
    for (const auto& [data, path] :
         read_list(fields, "leap", "none | gregorian | [{year, month, days}, …]")) {
        Fields one = fields.inner(data, path);
        LeapMonth month;
        month.year = one.whole("year", -kYearMax, kYearMax, Presence::kRequired).value_or(0);
        month.month = read_number(one, "month", 1, months);
        month.days = read_number(one, "days", 1, kMonthDaysMax);
        one.finish();
        calendar.leap_months.push_back(month);
    }
    std::ranges::sort(calendar.leap_months, {}, &LeapMonth::year);
    const auto twice = std::ranges::adjacent_find(calendar.leap_months, {}, &LeapMonth::year);
    if (twice != calendar.leap_months.end()) {
        fields.error("leap", Error(ErrorCode::kCalendarTwice, {std::to_string(twice->year)}));
    }
    std::int64_t before = 0;
    for (LeapMonth& month : calendar.leap_months) {
        month.days_before = before;
        before += month.days;
    }
}

void read_eras(Fields& fields, CalendarData& calendar) {
    for (const auto& [data, path] : read_list(fields, "eras", "[{name: \"…\"}, …]")) {
        Fields one = fields.inner(data, path);
        Era era;
        era.name = read_name(one, "name");
        era.first = one.whole("first", -kYearMax, kYearMax).value_or(era.first);
        era.backward = one.flag("backward").value_or(false);
        one.finish();
        if (calendar.find_era(era.name) != nullptr) {
            fields.error_at(path, Error(ErrorCode::kCalendarTwice, {era.name}));
        }
        calendar.eras.push_back(std::move(era));
    }
}

void read_counter(Fields& fields, CalendarData& calendar) {
    for (const auto& [pair, path] : read_list(fields, "counter", "[[\"第\", \"天\"], …]")) {
        if (!pair.is_array() || pair.as_array().size() != 2 || !is_name(pair.as_array()[0]) ||
            !pair.as_array()[1].is_string()) {
            fields.error_at(path, value::wrong_value("counter", "[\"第\", \"天\"]", pair));
            continue;
        }
        calendar.counter.emplace_back(pair.as_array()[0].as_string(),
                                      pair.as_array()[1].as_string());
    }
}

void read_hours(Fields& fields, HourNames& hours) {
    auto data = fields.object("hours");
    if (!data) {
        return;
    }
    hours.names = read_names(*data, "names");
    if (!data->contains("names")) {
        data->missing("names");
    }
    hours.begin = read_minute(*data, "begin");
    hours.minutes = read_number(*data, "minutes", 1, kDayMinutes);
    hours.quarter = read_number(*data, "quarter", 1, kDayMinutes);
    data->finish();
}

// The members of an object whose keys are names.
std::optional<Fields> read_named(Fields& fields, std::string_view key, std::string_view takes) {
    const Value* found = fields.take(key);
    if (found == nullptr) {
        return std::nullopt;
    }
    if (!found->is_object() || found->as_object().size() > base::kCalendarListMax ||
        found->as_object().contains("")) {
        fields.reject(key, std::string(takes), *found);
        return std::nullopt;
    }
    return fields.inner(*found, fields.path_of(key));
}

void read_day(Fields& fields, DayNames& day) {
    read_hours(fields, day.hours);
    if (auto phases = read_named(fields, "phases", "{日出: \"06:00\"}")) {
        for (const auto& [name, time] : phases->members()) {
            day.phases.push_back({std::string(name.view()), read_minute(*phases, name)});
        }
    }
    if (auto dayparts = read_named(fields, "dayparts", "{下午: [12, 20]}")) {
        for (const auto& [name, hours] : dayparts->members()) {
            const bool is_pair = hours.is_array() && hours.as_array().size() == 2 &&
                                 hours.as_array()[0].is_int() && hours.as_array()[1].is_int();
            const std::int64_t from = is_pair ? hours.as_array()[0].as_int() : 0;
            const std::int64_t to = is_pair ? hours.as_array()[1].as_int() : 0;
            if (from < 0 || to <= from || to > 24) {
                dayparts->reject(name, "[12, 20]", hours);
                continue;
            }
            day.dayparts.push_back(
                {std::string(name.view()), static_cast<int>(from), static_cast<int>(to)});
        }
    }
}

// One list for each day of the week, with its forms: all of the same length.
void read_week(Fields& fields, DayNames& day) {
    for (const auto& [forms, path] : read_list(fields, "week", "[[\"星期一\"], …]")) {
        std::vector<std::string> names;
        bool valid = forms.is_array() && !forms.as_array().empty() &&
                     forms.as_array().size() <= base::kCalendarListMax;
        for (std::size_t i = 0; valid && i < forms.as_array().size(); ++i) {
            valid = is_name(forms.as_array()[i]);
            names.emplace_back(valid ? forms.as_array()[i].as_string() : std::string_view());
        }
        if (!valid || (!day.week.empty() && names.size() != day.week.front().size())) {
            fields.error_at(path, value::wrong_value("week", "[\"星期一\"]", forms));
            continue;
        }
        day.week.push_back(std::move(names));
    }
}

CalendarData read_calendar(const Value& document, value::Diagnostics& diagnostics) {
    constexpr value::Choice<CalendarData::Claim> kClaims[] = {
        {"none", CalendarData::Claim::kNone},
        {"numbers", CalendarData::Claim::kNumbers},
        {"lunar", CalendarData::Claim::kLunar},
        {"all", CalendarData::Claim::kAll}};
    CalendarData calendar;
    Fields fields(document, {}, diagnostics,
                  {.takes = "{name, title, months, …}", .name = "calendar"});
    calendar.name = read_name(fields, "name");
    if (auto title = fields.object("title", Presence::kRequired)) {
        calendar.english = read_name(*title, "en");
        calendar.chinese = read_name(*title, "zh");
        title->finish();
    }
    read_months(fields, calendar);
    read_leap(fields, calendar);
    read_eras(fields, calendar);
    read_counter(fields, calendar);
    calendar.without_era = fields.one_of("without_era", kClaims).value_or(calendar.without_era);
    calendar.any_era = fields.flag("any_era").value_or(false);
    calendar.lunar_days = fields.flag("lunar_days").value_or(false);
    calendar.iso = fields.flag("iso").value_or(false);
    read_day(fields, calendar.day);
    read_week(fields, calendar.day);
    fields.ignore({"day_of"});
    fields.finish();
    return calendar;
}

}  // namespace

std::expected<std::vector<CalendarData>, value::Diagnostic> compile_calendars(
    std::span<const value::Value> documents, std::span<const CalendarData> present) {
    const auto fail = [](std::size_t document, value::Path path, ErrorCode code, std::string word) {
        return std::unexpected(value::Diagnostic{std::move(path), false,
                                                 base::Error(code, {std::move(word)}), document});
    };
    if (documents.size() > base::kCalendarsMax) {
        return std::unexpected(value::Diagnostic{
            {},
            false,
            Error(ErrorCode::kLoreTooMany, {"calendars", std::to_string(base::kCalendarsMax)}),
            base::kCalendarsMax});
    }
    std::vector<CalendarData> calendars;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        value::Diagnostics diagnostics;
        CalendarData calendar = read_calendar(documents[i], diagnostics);
        if (!diagnostics.empty()) {
            diagnostics.front().document = i;
            return std::unexpected(std::move(diagnostics.front()));
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
        const std::string_view wanted = name->is_string() ? name->as_string() : "";
        const auto from = std::ranges::find(calendars, wanted, &CalendarData::name);
        const auto other = std::ranges::find(present, wanted, &CalendarData::name);
        // The source must have its own names, so that the order does not matter.
        const bool is_own =
            from != calendars.end() &&
            !documents[static_cast<std::size_t>(from - calendars.begin())].as_object().contains(
                "day_of");
        if (!is_own && (from != calendars.end() || other == present.end())) {
            return fail(i, {"day_of"}, ErrorCode::kCalendarNoSuch,
                        name->is_string() ? std::string(wanted) : "…");
        }
        calendars[i].day = is_own ? from->day : other->day;
    }
    for (const CalendarData& each : present) {
        if (std::ranges::find(calendars, each.name, &CalendarData::name) == calendars.end()) {
            calendars.push_back(each);
        }
    }
    return calendars;
}

}  // namespace arbiter::calendar::internal
