#include "calendar/internal/match_date.h"

#include "base/limits.h"
#include "calendar/internal/time_text.h"

namespace arbiter::calendar::internal {
namespace {

// How well a calendar suits a reading; 0: not at all.
int claim(const CalendarData& calendar, const DateReading& reading,
          const std::optional<EraReading>& separate) {
    using enum CalendarData::Claim;
    const std::string& era = reading.era.name;
    if (calendar.find_era(!era.empty() ? era : separate ? separate->name : "") != nullptr) {
        return 3;
    }
    if (!era.empty()) {
        return calendar.any_era ? 1 : 0;
    }
    if (calendar.is_counter() || reading.iso) {
        return 2;
    }
    const bool own_style = calendar.without_era == kAll ||
                           calendar.without_era == (reading.lunar ? kLunar : kNumbers) ||
                           (!reading.month_number && calendar.without_era != kNone);
    return own_style ? 2 : 0;
}

// The year in the years of the calendar; nothing when an era has no such year.
std::optional<std::int64_t> year_of(const Era* era, std::int64_t written) {
    if (written > base::kCalendarYearMax || (era != nullptr && written < 1)) {
        return std::nullopt;
    }
    if (era == nullptr) {
        return written;
    }
    return era->backward ? era->first - (written - 1) : era->first + (written - 1);
}

// Completes `date`; false when the texts contradict each other or there is no such day.
bool settle(const CalendarData& calendar, const DateReading& reading,
            const std::optional<EraReading>& separate, Date& date) {
    std::string name = reading.era.name;
    std::optional<Numeral> year = reading.era.year;
    if (separate) {
        if ((!name.empty() && !separate->name.empty() && name != separate->name) ||
            (year && separate->year && year->value != separate->year->value)) {
            return false;
        }
        name = name.empty() ? separate->name : name;
        year = year || calendar.is_counter() ? year : separate->year;
    }
    const Era* era = calendar.find_era(name);
    date.calendar = calendar.name;
    date.era = name;
    if (!calendar.eras.empty() && (era != nullptr || (name.empty() && year))) {
        date.era = calendar.eras.front().name;
    }
    if (year) {
        date.year = year_of(era, year->value);
        if (!date.year) {
            return false;
        }
    }
    date.month = reading.month;
    date.leap = reading.leap;
    date.day = reading.day.value;
    if (reading.time) {
        date.minute = reading.time->minute;
        date.phase = reading.time->phase;
    }
    return calendar.is_valid(date);
}

// The match of the calendar that suits the texts best; its date is not settled yet.
std::optional<DateMatch> best_match(std::span<const CalendarData> calendars, std::string_view only,
                                    std::string_view date, std::string_view era) {
    if (date.size() > base::kDateTextBytesMax || era.size() > base::kDateTextBytesMax) {
        return std::nullopt;
    }
    std::optional<EraReading> separate;
    if (!trimmed(era).empty()) {
        separate = read_era(era);
        if (!separate) {
            return std::nullopt;
        }
    }
    std::optional<DateMatch> best;
    int best_claim = 0;
    for (const CalendarData& calendar : calendars) {
        if (!only.empty() && calendar.name != only) {
            continue;
        }
        auto reading = read_date(calendar, trimmed(date));
        if (!reading) {
            continue;
        }
        const int claimed = only.empty() ? claim(calendar, *reading, separate) : 1;
        if (claimed > best_claim) {
            best_claim = claimed;
            best = DateMatch{&calendar, std::move(*reading), separate, {}};
        }
    }
    return best;
}

}  // namespace

bool has_form(std::span<const CalendarData> calendars, std::string_view date) {
    return best_match(calendars, {}, date, {}).has_value();
}

std::optional<DateMatch> match_date(std::span<const CalendarData> calendars, std::string_view only,
                                    std::string_view date, std::string_view era) {
    auto best = best_match(calendars, only, date, era);
    if (!best || !settle(*best->calendar, best->reading, best->separate, best->date)) {
        return std::nullopt;
    }
    return best;
}

}  // namespace arbiter::calendar::internal
