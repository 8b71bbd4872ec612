#include "calendar/internal/time_text.h"

#include <array>
#include <initializer_list>

#include "calendar/internal/numerals.h"

namespace arbiter::calendar::internal {
namespace {

constexpr int kDayMinutes = 24 * 60;

bool take_any(Scanner& scanner, std::initializer_list<std::string_view> words) noexcept {
    for (const std::string_view word : words) {
        if (scanner.take(word)) {
            return true;
        }
    }
    return false;
}

// Two digits below 60.
std::optional<int> take_sixtieth(Scanner& scanner) noexcept {
    const auto number = take_numeral(scanner);
    if (!number || number->is_chinese() || number->width != 2 || number->value >= 60) {
        return std::nullopt;
    }
    return static_cast<int>(number->value);
}

// Behind the hour: :30, :30:15.250
std::optional<int> minutes_after_colon(Scanner& scanner) noexcept {
    const auto minutes = take_sixtieth(scanner);
    if (minutes && take_any(scanner, {":", "："})) {
        if (!take_sixtieth(scanner)) {
            return std::nullopt;
        }
        if (scanner.take(".") && !take_numeral(scanner)) {
            return std::nullopt;
        }
    }
    return minutes;
}

// Behind 点: 半, 整, 一刻, 30分.
std::optional<int> minutes_after_hour(Scanner& scanner) noexcept {
    scanner.skip_blanks();
    if (scanner.at_end() || take_any(scanner, {"整", "钟", "鐘"})) {
        return 0;
    }
    if (scanner.take("半")) {
        return 30;
    }
    const auto number = take_numeral(scanner);
    if (!number || number->value >= 60) {
        return std::nullopt;
    }
    scanner.skip_blanks();
    if (scanner.take("刻")) {
        return number->value >= 1 && number->value <= 3
                   ? std::optional(static_cast<int>(number->value) * 15)
                   : std::nullopt;
    }
    if (!take_any(scanner, {"分钟", "分鐘", "分"}) && number->width != 2) {
        return std::nullopt;
    }
    return static_cast<int>(number->value);
}

// Of an hour on a dial of twelve and its other meanings, the one that is in the part of the day.
std::optional<int> hour_in(const Daypart& part, int hour) noexcept {
    std::optional<int> found;
    const std::array<int, 2> meanings = {hour, hour < 12 ? hour + 12 : hour == 12 ? 0 : hour};
    for (std::size_t i = 0; i < (meanings[0] == meanings[1] ? 1 : 2); ++i) {
        if (meanings[i] >= part.from && meanings[i] < part.to) {
            if (found) {
                return std::nullopt;
            }
            found = meanings[i];
        }
    }
    return found;
}

// 08:30, 8点半, with the part of the day that was written beside it.
std::optional<int> read_clock(std::string_view text, const Daypart* part) noexcept {
    Scanner scanner{trimmed(text)};
    const auto hour = take_numeral(scanner);
    if (!hour || hour->value > 23 || hour->width > (hour->is_chinese() ? 3U : 2U)) {
        return std::nullopt;
    }
    scanner.skip_blanks();
    std::optional<int> minutes;
    if (take_any(scanner, {":", "："})) {
        minutes = hour->is_chinese() ? std::nullopt : minutes_after_colon(scanner);
    } else if (take_any(scanner, {"点", "點", "时", "時"})) {
        minutes = minutes_after_hour(scanner);
    }
    if (!minutes || !scanner.at_end()) {
        return std::nullopt;
    }
    const auto value = static_cast<int>(hour->value);
    const std::optional<int> meant = part == nullptr ? value : hour_in(*part, value);
    return meant ? std::optional(*meant * 60 + *minutes) : std::nullopt;
}

// 子时, 子时三刻, 午正, 午初二刻.
std::optional<int> read_hour_name(const HourNames& hours, std::string_view text) noexcept {
    for (std::size_t i = 0; i < hours.names.size(); ++i) {
        Scanner scanner{text};
        if (!scanner.take(hours.names[i])) {
            continue;
        }
        const bool hour = take_any(scanner, {"时", "時"});
        const bool first = scanner.take("初");
        const bool second = !first && scanner.take("正");
        int span = hours.minutes;
        int minute = hours.begin + static_cast<int>(i) * hours.minutes;
        if (first || second) {
            span /= 2;
            minute += second ? span : 0;
        } else if (!hour) {
            continue;
        }
        scanner.skip_blanks();
        if (!scanner.at_end()) {
            const auto count = take_numeral(scanner);
            const bool none = !count && first;  // 初刻
            if (!scanner.take("刻") || !scanner.at_end() || (!count && !none)) {
                continue;
            }
            if (count && (count->value < 1 || count->value * hours.quarter >= span)) {
                continue;
            }
            minute += count ? static_cast<int>(count->value) * hours.quarter : 0;
        }
        return minute % kDayMinutes;
    }
    return std::nullopt;
}

}  // namespace

std::optional<TimeOfDay> read_time(const DayNames& day, std::string_view text) {
    text = trimmed(text);
    for (const Phase& phase : day.phases) {
        if (text == phase.name) {
            return TimeOfDay{phase.minute, true};
        }
    }
    if (const auto minute = read_clock(text, nullptr)) {
        return TimeOfDay{*minute, false};
    }
    for (const Daypart& part : day.dayparts) {
        std::optional<int> minute;
        if (text.starts_with(part.name)) {
            minute = read_clock(text.substr(part.name.size()), &part);
        } else if (text.ends_with(part.name)) {
            minute = read_clock(text.substr(0, text.size() - part.name.size()), &part);
        }
        if (minute) {
            return TimeOfDay{*minute, false};
        }
    }
    if (const auto minute = read_hour_name(day.hours, text)) {
        return TimeOfDay{*minute, false};
    }
    return std::nullopt;
}

}  // namespace arbiter::calendar::internal
