// From texts to dates and back: which calendar reads a text, and a date in the words of another.
#include <algorithm>

#include "base/limits.h"
#include "rules/calendar.h"
#include "rules/internal/calendar_data.h"
#include "rules/internal/date_text.h"
#include "text/utf8.h"

namespace arbiter::rules {
namespace {

using internal::CalendarData;
using internal::DateReading;
using internal::Era;
using internal::EraReading;
using internal::Numeral;
using internal::Span;

// A date as it was read: in which calendar, and what stood where in which text.
struct Understood {
    const CalendarData* calendar = nullptr;
    DateReading reading;
    std::optional<EraReading> separate;  // of a 纪年 by itself
    Date date;
};

// How well a calendar suits a reading; 0 means that it is for others.
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

std::optional<Understood> understand(std::span<const CalendarData> calendars, std::string_view only,
                                     std::string_view date, std::string_view era) {
    if (date.size() > base::kDateTextBytesMax || era.size() > base::kDateTextBytesMax) {
        return std::nullopt;
    }
    std::optional<EraReading> separate;
    if (!internal::trimmed(era).empty()) {
        separate = internal::read_era(era);
        if (!separate) {
            return std::nullopt;
        }
    }
    std::optional<Understood> best;
    int best_claim = 0;
    for (const CalendarData& calendar : calendars) {
        if (!only.empty() && calendar.name != only) {
            continue;
        }
        auto reading = internal::read_date(calendar, internal::trimmed(date));
        if (!reading) {
            continue;
        }
        const int claimed = only.empty() ? claim(calendar, *reading, separate) : 1;
        if (claimed > best_claim) {
            best_claim = claimed;
            best = Understood{&calendar, std::move(*reading), separate, {}};
        }
    }
    if (!best || !settle(*best->calendar, best->reading, separate, best->date)) {
        return std::nullopt;
    }
    return best;
}

// Exchanges parts of a text, from left to right.
class Rewriting {
  public:
    // The spans are of the text without the blanks around it.
    explicit Rewriting(std::string_view text)
        : text_(text),
          offset_(static_cast<std::size_t>(internal::trimmed(text).data() - text.data())) {}

    void exchange(Span span, std::string_view with) {
        out_ += text_.substr(done_, offset_ + span.begin - done_);
        out_ += with;
        done_ = offset_ + span.end;
    }
    std::string finish() { return out_ + std::string(text_.substr(done_)); }

  private:
    std::string_view text_;
    std::size_t offset_;
    std::size_t done_ = 0;
    std::string out_;
};

class Printer {
  public:
    Printer(const Understood& like, const Date& date) : like_(like), date_(date) {}

    // The year in place of the one that `era` tells; false when it has no words there.
    [[nodiscard]] bool year(Rewriting& text, const EraReading& era) const {
        if (!era.year || date_.year == like_.date.year) {
            return true;
        }
        const std::string& own = like_.reading.era.name;
        const std::string& name = own.empty() && like_.separate ? like_.separate->name : own;
        const Era* listed = like_.calendar->find_era(name);
        std::int64_t number = *date_.year;
        if (listed != nullptr) {
            number = (listed->backward ? listed->first - number : number - listed->first) + 1;
        }
        if (number < (listed != nullptr ? 1 : 0) || number > base::kCalendarYearMax) {
            return false;
        }
        const Numeral& written = *era.year;
        const bool in_words =
            written.style == Numeral::Style::kUnits || written.style == Numeral::Style::kFirst;
        const std::size_t width = like_.reading.iso || written.zero_first ? written.width : 0;
        text.exchange({written.begin, written.end},
                      in_words && number == 1 && !name.empty()
                          ? "元"
                          : internal::written(number, written.style, width));
        return true;
    }

    void month(Rewriting& text) const {
        const DateReading& reading = like_.reading;
        if (date_.month == reading.month && date_.leap == reading.leap) {
            return;
        }
        std::string words = date_.leap ? "闰" : "";
        if (reading.month_number) {
            words +=
                internal::written(date_.month, reading.month_number->style, is_padded() ? 2 : 0);
        } else {
            const auto& names =
                like_.calendar->months[static_cast<std::size_t>(date_.month) - 1].names;
            words += names.empty()
                         ? internal::written(date_.month, Numeral::Style::kUnits, 0) + "月"
                         : names.front();
        }
        text.exchange(reading.month_span, words);
    }

    [[nodiscard]] bool day(Rewriting& text) const {
        const DateReading& reading = like_.reading;
        if (date_.day == reading.day.value) {
            return true;
        }
        if (date_.day < 0) {
            return false;
        }
        if (reading.lunar) {
            const bool plain =
                reading.day.value > 20 && reading.day.value < 30 && !reading.day.short_tens;
            text.exchange(reading.day_span, internal::written_lunar(date_.day, !plain));
        } else {
            const bool zero = like_.calendar->is_counter() && reading.day.zero_first;
            const std::size_t width = zero ? reading.day.width : is_padded() ? 2 : 0;
            text.exchange(reading.day_span, internal::written(date_.day, reading.day.style, width));
        }
        return true;
    }

    [[nodiscard]] bool weekday(Rewriting& text, std::optional<std::int64_t> days) const {
        const auto& found = like_.reading.weekday;
        if (!found || days == 0) {
            return true;
        }
        if (!days) {
            return false;
        }
        const auto length = static_cast<std::int64_t>(like_.calendar->day.week.size());
        const std::int64_t moved =
            (static_cast<std::int64_t>(found->day) + *days % length + length) % length;
        text.exchange(found->span,
                      like_.calendar->day.week[static_cast<std::size_t>(moved)][found->form]);
        return true;
    }

  private:
    // mm月dd日: a zero shows it, one digit where two could stand shows the contrary. Two digits in
    // both places are taken for it where no year is written.
    [[nodiscard]] bool is_padded() const {
        const DateReading& reading = like_.reading;
        if (!reading.month_number || reading.lunar) {
            return reading.month_number && reading.month_number->zero_first;
        }
        const Numeral& month = *reading.month_number;
        return month.zero_first || reading.day.zero_first ||
               (month.width == 2 && reading.day.width == 2 && (reading.iso || !reading.era.year));
    }

    const Understood& like_;
    const Date& date_;
};

}  // namespace

std::optional<Date> Calendars::parse(std::string_view text, std::string_view only) const {
    auto found = understand(all_, only, text, {});
    return found ? std::optional(std::move(found->date)) : std::nullopt;
}

std::optional<Date> Calendars::parse(const DateTexts& texts, std::string_view only) const {
    auto found = understand(all_, only, texts.date, texts.era);
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
    const auto found = understand(all_, date.calendar, like.date, like.era);
    const CalendarData* calendar = find(date.calendar);
    if (!found || calendar == nullptr || !calendar->is_valid(date)) {
        return std::nullopt;
    }
    // A year that `like` does not tell is left out, and with it the era.
    const bool without_year = !found->date.year && found->date.era.empty();
    if ((!without_year && date.era != found->date.era) || (found->date.year && !date.year)) {
        return std::nullopt;
    }
    const Printer printer(*found, date);
    DateTexts out = like;
    if (found->separate) {
        Rewriting text(like.era);
        if (!printer.year(text, *found->separate)) {
            return std::nullopt;
        }
        out.era = text.finish();
    }
    Rewriting text(like.date);
    if (!printer.year(text, found->reading.era)) {
        return std::nullopt;
    }
    if (!calendar->is_counter()) {
        printer.month(text);
    }
    if (!printer.day(text) || !printer.weekday(text, days_between(found->date, date))) {
        return std::nullopt;
    }
    out.date = text.finish();
    return out;
}

}  // namespace arbiter::rules
