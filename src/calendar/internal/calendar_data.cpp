#include "calendar/internal/calendar_data.h"

#include <algorithm>

#include "base/limits.h"

namespace arbiter::calendar::internal {
namespace {

std::int64_t floor_divided(std::int64_t number, std::int64_t by) noexcept {
    return number / by - (number % by < 0 ? 1 : 0);
}

// Leap years of the Gregorian rule from year 1 to before `year`; negative below year 1.
std::int64_t gregorian_leaps_before(std::int64_t year) noexcept {
    const std::int64_t last = year - 1;
    return floor_divided(last, 4) - floor_divided(last, 100) + floor_divided(last, 400);
}

}  // namespace

const Era* CalendarData::find_era(std::string_view era) const noexcept {
    const auto found = std::ranges::find(eras, era, &Era::name);
    return found == eras.end() ? nullptr : &*found;
}

bool CalendarData::has_leap_years(const Date& date) const noexcept {
    return date.year.has_value() && (eras.empty() || date.era == eras.front().name);
}

const LeapMonth* CalendarData::leap_month_of(std::int64_t year) const noexcept {
    const auto found = std::ranges::lower_bound(leap_months, year, {}, &LeapMonth::year);
    return found == leap_months.end() || found->year != year ? nullptr : &*found;
}

bool CalendarData::is_leap_year(std::int64_t year) const noexcept {
    return leap == Leap::kGregorian &&
           gregorian_leaps_before(year + 1) > gregorian_leaps_before(year);
}

bool CalendarData::is_loose(const Date& date) const noexcept {
    return date.leap && !(leap == Leap::kList && has_leap_years(date));
}

// The length of the month of a date; 0 if the month does not exist.
int CalendarData::days_of(const Date& date) const noexcept {
    if (date.month < 1 || static_cast<std::size_t>(date.month) > months.size()) {
        return 0;
    }
    const Month& month = months[static_cast<std::size_t>(date.month) - 1];
    if (!date.leap) {
        return has_leap_years(date) && is_leap_year(*date.year) ? month.leap_days : month.days;
    }
    if (is_loose(date)) {
        return lunar_days ? month.days : 0;
    }
    const LeapMonth* listed = leap_month_of(*date.year);
    return listed != nullptr && listed->month == date.month ? listed->days : 0;
}

bool CalendarData::is_valid(const Date& date) const noexcept {
    if (date.minute && (*date.minute < 0 || *date.minute >= 24 * 60)) {
        return false;
    }
    if (is_counter()) {
        return !date.year && date.month == 0 && !date.leap && date.day >= -base::kCalendarDayMax &&
               date.day <= base::kCalendarDayMax;
    }
    if (date.year &&
        (*date.year < -base::kCalendarYearMax || *date.year > base::kCalendarYearMax)) {
        return false;
    }
    return date.day >= 1 && date.day <= days_of(date);
}

std::int64_t CalendarData::start_of(std::int64_t year, bool with_leap) const noexcept {
    std::int64_t days = year * days_common;
    if (with_leap && leap == Leap::kGregorian) {
        days += gregorian_leaps_before(year) * leap_extra;
    }
    if (with_leap && leap == Leap::kList) {
        const auto next = std::ranges::lower_bound(leap_months, year, {}, &LeapMonth::year);
        if (next != leap_months.end()) {
            days += next->days_before;
        } else if (!leap_months.empty()) {
            days += leap_months.back().days_before + leap_months.back().days;
        }
    }
    return days;
}

std::int64_t CalendarData::number_of(const Date& date) const noexcept {
    if (is_counter()) {
        return date.day;
    }
    const auto month = static_cast<std::size_t>(date.month) - 1;
    std::int64_t days = days_before[month] + date.day - 1;
    if (!date.year) {
        return days;
    }
    const bool with_leap = has_leap_years(date);
    days += start_of(*date.year, with_leap);
    if (with_leap && is_leap_year(*date.year)) {
        for (std::size_t i = 0; i < month; ++i) {
            days += months[i].leap_days - months[i].days;
        }
    }
    const LeapMonth* listed = with_leap ? leap_month_of(*date.year) : nullptr;
    if (listed != nullptr && listed->month < date.month) {
        days += listed->days;
    }
    return days + (date.leap ? months[month].days : 0);
}

bool CalendarData::set_number(Date& date, std::int64_t number) const noexcept {
    if (is_counter()) {
        date.day = number;
        return number >= -base::kCalendarDayMax && number <= base::kCalendarDayMax;
    }
    const bool with_leap = has_leap_years(date);
    if (!date.year) {
        number %= days_common;
        number += number < 0 ? days_common : 0;
    } else {
        // The last year that begins at or before the number.
        std::int64_t low = -base::kCalendarYearMax;
        std::int64_t high = base::kCalendarYearMax;
        if (number < start_of(low, with_leap) || number >= start_of(high + 1, with_leap)) {
            return false;
        }
        while (low < high) {
            const std::int64_t middle = low + (high - low + 1) / 2;
            if (start_of(middle, with_leap) <= number) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        date.year = low;
        number -= start_of(low, with_leap);
    }
    const bool leap_year = with_leap && is_leap_year(date.year.value_or(0));
    const LeapMonth* listed = with_leap ? leap_month_of(date.year.value_or(0)) : nullptr;
    for (std::size_t i = 0; i < months.size(); ++i) {
        date.month = static_cast<int>(i) + 1;
        date.leap = false;
        const int days = leap_year ? months[i].leap_days : months[i].days;
        if (number < days) {
            break;
        }
        number -= days;
        if (listed != nullptr && listed->month == date.month) {
            date.leap = true;
            if (number < listed->days) {
                break;
            }
            number -= listed->days;
        }
    }
    date.day = number + 1;
    return true;
}

}  // namespace arbiter::calendar::internal
