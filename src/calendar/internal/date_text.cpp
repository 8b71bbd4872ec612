#include "calendar/internal/date_text.h"

#include "calendar/internal/time_text.h"
#include "text/utf8.h"

namespace arbiter::calendar::internal {
namespace {

// Letters of any script, with · and spaces between them: no digits, no punctuation.
bool is_name_character(char32_t c) noexcept {
    if (c < 0x80) {
        return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') || c == U' ' || c == U'\'';
    }
    const bool punctuation = (c >= 0x2000 && c <= 0x2BFF) || (c >= 0x3000 && c <= 0x3006) ||
                             (c >= 0x3008 && c <= 0x303F) || (c >= 0xFE10 && c <= 0xFE6F) ||
                             (c >= 0xFF00 && c <= 0xFF20) || (c >= 0xFF3B && c <= 0xFF40) ||
                             (c >= 0xFF5B && c <= 0xFF65) || (c >= 0x80 && c <= 0xBF);
    return c == U'·' || c == U'〇' || !punctuation;
}

// The name of an era with single spaces, "" for the empty text; nothing if it is not a name.
std::optional<std::string> era_name(std::string_view text) {
    std::string name;
    Scanner scanner{trimmed(text)};
    while (!scanner.at_end()) {
        const std::size_t begin = scanner.at;
        scanner.skip_blanks();
        if (scanner.at > begin) {
            name += ' ';
            continue;
        }
        const text::Decoded next = text::decode(scanner.rest());
        if (!next.valid || !is_name_character(next.code_point)) {
            return std::nullopt;
        }
        name += scanner.rest().substr(0, next.size);
        scanner.at += next.size;
    }
    return name;
}

// 第 belongs to the number behind it, not to the era.
std::string_view without_ordinal(std::string_view text) noexcept {
    constexpr std::string_view kOrdinal = "第";
    text = trimmed(text);
    return text.ends_with(kOrdinal) ? text.substr(0, text.size() - kOrdinal.size()) : text;
}

// The number before 年, or 元.
std::optional<Numeral> take_year(Scanner& scanner) noexcept {
    Scanner ahead = scanner;
    std::optional<Numeral> year = take_numeral(ahead);
    if (!year && ahead.take("元")) {
        year = Numeral{.value = 1,
                       .begin = scanner.at,
                       .end = ahead.at,
                       .style = Numeral::Style::kFirst,
                       .width = 1};
    }
    ahead.skip_blanks();
    if (!year || !ahead.take("年")) {
        return std::nullopt;
    }
    scanner = ahead;
    return year;
}

// An era and a year, up to and including 年. Takes nothing, without failing, if there is no year.
std::optional<EraReading> take_era(Scanner& scanner) {
    Scanner ahead = scanner;
    while (!ahead.at_end()) {
        const std::size_t begin = ahead.at;
        if (const auto year = take_year(ahead)) {
            auto name =
                era_name(without_ordinal(scanner.text.substr(scanner.at, begin - scanner.at)));
            if (!name) {
                return std::nullopt;
            }
            scanner = ahead;
            return EraReading{std::move(*name), year};
        }
        if (!skip_numeral_run(ahead)) {
            ahead.at += text::decode(ahead.rest()).size;
        }
    }
    return EraReading{};
}

bool take_separator(Scanner& scanner) noexcept {
    const std::size_t begin = scanner.at;
    scanner.skip_blanks();
    if (scanner.take(",") || scanner.take("，") || scanner.take("、") || scanner.take("·")) {
        scanner.skip_blanks();
    }
    return scanner.at > begin;
}

std::optional<WeekdayReading> take_weekday(const DayNames& day, Scanner& scanner) noexcept {
    Scanner ahead = scanner;
    const bool wide = ahead.take("（");
    const bool bracket = wide || ahead.take("(");
    ahead.skip_blanks();
    std::optional<WeekdayReading> found;
    for (std::size_t i = 0; i < day.week.size(); ++i) {
        for (std::size_t form = 0; form < day.week[i].size(); ++form) {
            const std::string_view name = day.week[i][form];
            const std::size_t longest = found ? found->span.end - found->span.begin : 0;
            if (name.size() > longest && ahead.rest().starts_with(name)) {
                found = WeekdayReading{{ahead.at, ahead.at + name.size()}, i, form};
            }
        }
    }
    if (!found) {
        return std::nullopt;
    }
    ahead.at = found->span.end;
    ahead.skip_blanks();
    if (bracket && !ahead.take(wide ? "）" : ")")) {
        return std::nullopt;
    }
    scanner = ahead;
    return found;
}

// The rest after a date: a weekday, a time, or nothing.
bool read_tail(const CalendarData& calendar, Scanner scanner, DateReading& reading) {
    take_separator(scanner);
    reading.weekday = take_weekday(calendar.day, scanner);
    take_separator(scanner);
    reading.time.reset();
    if (scanner.at_end()) {
        return true;
    }
    reading.time = read_time(calendar.day, scanner.rest());
    return reading.time.has_value();
}

// 08:30:00Z, 08:30+08:00: the time on the clock there.
std::optional<TimeOfDay> read_iso_time(const DayNames& day, std::string_view text) {
    if (text.ends_with('Z')) {
        text.remove_suffix(1);
    } else if (const std::size_t sign = text.find_first_of("+-"); sign != std::string_view::npos) {
        const auto offset = read_time({}, text.substr(sign + 1));
        if (!offset || text.size() - sign != 6) {
            return std::nullopt;
        }
        text = text.substr(0, sign);
    }
    return text.size() < 5 || text[2] != ':' ? std::nullopt : read_time(day, text);
}

// 2026-03-01, 2026/3/1, 2026.3.1
std::optional<DateReading> read_iso(const CalendarData& calendar, std::string_view text) {
    Scanner scanner{text};
    const auto is_plain = [](const std::optional<Numeral>& number, std::size_t least,
                             std::size_t most) {
        return number && number->style == Numeral::Style::kDigits && number->width >= least &&
               number->width <= most;
    };
    DateReading reading;
    reading.iso = true;
    reading.era.year = take_numeral(scanner);
    const std::string_view mark = scanner.rest().substr(0, 1);
    if (!is_plain(reading.era.year, 4, 10) || (mark != "-" && mark != "/" && mark != ".")) {
        return std::nullopt;
    }
    scanner.take(mark);
    reading.month_number = take_numeral(scanner);
    if (!is_plain(reading.month_number, 1, 2) || !scanner.take(mark)) {
        return std::nullopt;
    }
    const auto day = take_numeral(scanner);
    if (!is_plain(day, 1, 2)) {
        return std::nullopt;
    }
    reading.month = static_cast<int>(reading.month_number->value);
    reading.month_span = {reading.month_number->begin, reading.month_number->end};
    reading.day = *day;
    reading.day_span = {day->begin, day->end};
    if (scanner.take("T")) {
        reading.time = read_iso_time(calendar.day, scanner.rest());
        return reading.time ? std::optional(reading) : std::nullopt;
    }
    return read_tail(calendar, scanner, reading) ? std::optional(reading) : std::nullopt;
}

// 第12天, 末世第12天
std::optional<DateReading> read_counter(const CalendarData& calendar, std::string_view text) {
    for (const auto& [before, after] : calendar.counter) {
        for (std::size_t at = text.find(before); at != std::string_view::npos;
             at = text.find(before, at + 1)) {
            Scanner scanner{text, at + before.size()};
            scanner.skip_blanks();
            const auto day = take_numeral(scanner);
            auto name = era_name(text.substr(0, at));
            if (!day || !name) {
                continue;
            }
            if (!after.empty()) {
                scanner.skip_blanks();
            }
            DateReading reading;
            reading.era.name = std::move(*name);
            reading.day = *day;
            reading.day_span = {day->begin, day->end};
            if (scanner.take(after) && read_tail(calendar, scanner, reading)) {
                return reading;
            }
        }
    }
    return std::nullopt;
}

// 三月, 闰四月, 3 月, 正月
bool take_month(const CalendarData& calendar, Scanner& scanner, DateReading& reading) noexcept {
    scanner.skip_blanks();
    reading.month_span.begin = scanner.at;
    reading.leap = scanner.take("闰") || scanner.take("閏");
    scanner.skip_blanks();
    std::size_t longest = 0;
    for (std::size_t i = 0; i < calendar.months.size(); ++i) {
        for (const std::string& name : calendar.months[i].names) {
            if (name.size() > longest && scanner.rest().starts_with(name)) {
                longest = name.size();
                reading.month = static_cast<int>(i) + 1;
            }
        }
    }
    if (longest > 0) {
        scanner.at += longest;
        reading.month_span.end = scanner.at;
        return true;
    }
    reading.month_number = take_numeral(scanner);
    if (!reading.month_number || reading.month_number->style == Numeral::Style::kPlaces ||
        reading.month_number->value < 1 ||
        reading.month_number->value > static_cast<std::int64_t>(calendar.months.size())) {
        return false;
    }
    reading.month = static_cast<int>(reading.month_number->value);
    reading.month_span.end = scanner.at;
    scanner.skip_blanks();
    return scanner.take("月");
}

// The day with all that follows it. 日 may belong to the day or begin 日出.
bool read_day(const CalendarData& calendar, Scanner scanner, DateReading& reading) {
    scanner.skip_blanks();
    reading.day_span.begin = scanner.at;
    const bool first = scanner.take("初");
    const auto day = take_numeral(scanner);
    if (!day || day->style == Numeral::Style::kPlaces ||
        (first && (!day->is_chinese() || day->value > 10 || day->short_tens))) {
        return false;
    }
    reading.day = *day;
    reading.day_span.end = scanner.at;
    const bool surely_lunar = first || day->short_tens;
    Scanner behind = scanner;
    behind.skip_blanks();
    if (behind.take("日") || behind.take("号") || behind.take("號")) {
        reading.lunar = surely_lunar;
        if (read_tail(calendar, behind, reading)) {
            return !reading.lunar || calendar.lunar_days;
        }
    }
    reading.lunar = day->is_chinese();
    return (!reading.lunar || calendar.lunar_days) && read_tail(calendar, scanner, reading);
}

}  // namespace

std::optional<EraReading> read_era(std::string_view text) {
    Scanner scanner{trimmed(text)};
    Scanner number = scanner;
    if (const auto year = take_numeral(number); year && number.at_end()) {
        EraReading era{{}, year};
        return era;
    }
    auto era = take_era(scanner);
    if (!era) {
        return std::nullopt;
    }
    if (!era->year) {
        auto name = era_name(scanner.text);
        return name ? std::optional(EraReading{std::move(*name), std::nullopt}) : std::nullopt;
    }
    return scanner.at_end() ? era : std::nullopt;
}

std::optional<DateReading> read_date(const CalendarData& calendar, std::string_view text) {
    if (calendar.is_counter()) {
        return read_counter(calendar, text);
    }
    if (calendar.iso) {
        if (auto reading = read_iso(calendar, text)) {
            return reading;
        }
    }
    Scanner scanner{text};
    auto era = take_era(scanner);
    if (!era) {
        return std::nullopt;
    }
    DateReading reading;
    reading.era = std::move(*era);
    if (!take_month(calendar, scanner, reading) || !read_day(calendar, scanner, reading)) {
        return std::nullopt;
    }
    return reading;
}

}  // namespace arbiter::calendar::internal
