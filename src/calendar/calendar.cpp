#include "calendar/calendar.h"

#include <algorithm>

#include "base/limits.h"
#include "calendar/internal/calendar_data.h"
#include "calendar/internal/compile.h"
#include "calendar/internal/match_date.h"
#include "calendar/internal/rewrite_date.h"
#include "calendar/internal/time_text.h"

namespace arbiter::calendar {

using internal::CalendarData;

bool is_earlier(const TimeOfDay& time, const TimeOfDay& other) noexcept {
    constexpr int kVagueMinutes = 3 * 60;
    const int least = time.phase || other.phase ? kVagueMinutes : 1;
    return other.minute - time.minute >= least;
}

Calendars::Calendars() = default;
Calendars::Calendars(Calendars&&) noexcept = default;
Calendars& Calendars::operator=(Calendars&&) noexcept = default;
Calendars::~Calendars() = default;

std::expected<Calendars, value::Diagnostic> Calendars::compile(
    std::span<const value::Value> documents) {
    auto compiled = internal::compile_calendars(documents);
    if (!compiled) {
        return std::unexpected(std::move(compiled.error()));
    }
    Calendars calendars;
    calendars.all_ = std::move(*compiled);
    return calendars;
}

std::expected<Calendars, value::Diagnostic> Calendars::with(
    std::span<const value::Value> documents) const {
    auto compiled = internal::compile_calendars(documents, all_);
    if (!compiled) {
        return std::unexpected(std::move(compiled.error()));
    }
    Calendars calendars;
    calendars.all_ = std::move(*compiled);
    return calendars;
}

std::vector<CalendarTitle> Calendars::titles() const {
    std::vector<CalendarTitle> titles;
    for (const CalendarData& calendar : all_) {
        titles.push_back({calendar.name, calendar.english, calendar.chinese});
    }
    return titles;
}

const CalendarData* Calendars::find(std::string_view name) const {
    const auto found = std::ranges::find(all_, name, &CalendarData::name);
    return found == all_.end() ? nullptr : &*found;
}

std::optional<std::int64_t> Calendars::days_between(const Date& from, const Date& to) const {
    const CalendarData* calendar = find(from.calendar);
    if (calendar == nullptr || from.calendar != to.calendar || from.era != to.era ||
        from.year.has_value() != to.year.has_value() || !calendar->is_valid(from) ||
        !calendar->is_valid(to)) {
        return std::nullopt;
    }
    if (calendar->is_loose(from) || calendar->is_loose(to)) {
        const bool same_month =
            from.year == to.year && from.month == to.month && from.leap == to.leap;
        return same_month ? std::optional(to.day - from.day) : std::nullopt;
    }
    const std::int64_t days = calendar->number_of(to) - calendar->number_of(from);
    const bool next_year =
        !calendar->is_counter() && !from.year && days < 0 && -days * 2 > calendar->days_common;
    return next_year ? days + calendar->days_common : days;
}

std::optional<Date> Calendars::plus_days(const Date& date, std::int64_t days) const {
    const CalendarData* calendar = find(date.calendar);
    if (calendar == nullptr || !calendar->is_valid(date)) {
        return std::nullopt;
    }
    Date sum = date;
    if (calendar->is_loose(date)) {
        if (__builtin_add_overflow(date.day, days, &sum.day) || !calendar->is_valid(sum)) {
            return std::nullopt;
        }
        return sum;
    }
    if (!calendar->is_counter() && !date.year) {
        days %= calendar->days_common;
    }
    std::int64_t number = 0;
    if (__builtin_add_overflow(calendar->number_of(date), days, &number) ||
        !calendar->set_number(sum, number)) {
        return std::nullopt;
    }
    return sum;
}

std::optional<std::string> Calendars::weekday_plus(std::string_view weekday,
                                                   std::int64_t days) const {
    for (const CalendarData& calendar : all_) {
        const auto& week = calendar.day.week;
        for (std::size_t row = 0; row < week.size(); ++row) {
            const auto form = std::ranges::find(week[row], weekday);
            if (form == week[row].end()) {
                continue;
            }
            const auto length = static_cast<std::int64_t>(week.size());
            const std::int64_t moved =
                (static_cast<std::int64_t>(row) + days % length + length) % length;
            return week[static_cast<std::size_t>(moved)]
                       [static_cast<std::size_t>(form - week[row].begin())];
        }
    }
    return std::nullopt;
}

std::optional<Date> Calendars::parse(std::string_view text, std::string_view only) const {
    auto found = internal::match_date(all_, only, text, {});
    return found ? std::optional(std::move(found->date)) : std::nullopt;
}

bool Calendars::has_form(std::string_view text) const {
    return internal::has_form(all_, text);
}

std::optional<Date> Calendars::parse(const DateTexts& texts, std::string_view only) const {
    auto found = internal::match_date(all_, only, texts.date, texts.era);
    if (!found) {
        return std::nullopt;
    }
    if (!internal::trimmed(texts.time).empty()) {
        if (texts.time.size() > base::kDateTextBytesMax) {
            return std::nullopt;
        }
        const auto time = internal::read_time(found->calendar->day, texts.time);
        if (!time) {
            return std::nullopt;
        }
        found->date.minute = time->minute;
        found->date.phase = time->phase;
    }
    return std::move(found->date);
}

std::optional<TimeOfDay> Calendars::parse_time(std::string_view text) const {
    if (text.size() > base::kDateTextBytesMax) {
        return std::nullopt;
    }
    for (const CalendarData& calendar : all_) {
        if (const auto time = internal::read_time(calendar.day, text)) {
            return time;
        }
    }
    return std::nullopt;
}

std::optional<std::string> Calendars::print(const Date& date, std::string_view like) const {
    auto printed = print(date, DateTexts{.era = {}, .date = std::string(like), .time = {}});
    return printed ? std::optional(std::move(printed->date)) : std::nullopt;
}

std::optional<DateTexts> Calendars::print(const Date& date, const DateTexts& like) const {
    const auto found = internal::match_date(all_, date.calendar, like.date, like.era);
    const CalendarData* calendar = find(date.calendar);
    if (!found || calendar == nullptr || !calendar->is_valid(date)) {
        return std::nullopt;
    }
    // A year that `like` does not have is left out, and with it the era.
    const bool without_year = !found->date.year && found->date.era.empty();
    if ((!without_year && date.era != found->date.era) || (found->date.year && !date.year)) {
        return std::nullopt;
    }
    return internal::rewrite_date(*found, like, date, days_between(found->date, date));
}

}  // namespace arbiter::calendar
