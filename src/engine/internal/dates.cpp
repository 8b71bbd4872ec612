#include "engine/internal/dates.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "text/split.h"

namespace arbiter::engine::internal {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                      "jul", "aug", "sep", "oct", "nov", "dec"};

std::optional<int> number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return !text.empty() && error == std::errc() && end == text.data() + text.size()
               ? std::optional(value)
               : std::nullopt;
}

// 1 to 12; 0 for a word that is not the name of a month.
int month_of(std::string_view word) {
    if (word.size() < 3) {
        return 0;
    }
    std::string start(word.substr(0, 3));
    std::ranges::transform(start, start.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    });
    const auto found = std::ranges::find(kMonths, start);
    return found == kMonths.end() ? 0 : static_cast<int>(found - kMonths.begin()) + 1;
}

std::string two_digits(int value) {
    return (value < 10 ? "0" : "") + std::to_string(value);
}

// A time of day as hh:mm:ss. The empty text is midnight.
std::optional<std::string> clock_of(std::string_view text) {
    if (text.empty()) {
        return "00:00:00";
    }
    const auto parts = text::split(text, ":");
    if (parts.size() < 2 || parts.size() > 3) {
        return std::nullopt;
    }
    std::string clock;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto part = i < parts.size() ? number(parts[i]) : std::optional(0);
        if (!part || *part < 0 || *part > 59) {
            return std::nullopt;
        }
        clock += (i == 0 ? "" : ":") + two_digits(*part);
    }
    return clock;
}

std::optional<Instant> instant_of(int year, int month, int day, std::string_view clock) {
    const auto time = clock_of(clock);
    if (!time || year < 1000 || year > 9999) {
        return std::nullopt;
    }
    return parse_instant(std::to_string(year) + "-" + two_digits(month) + "-" + two_digits(day) +
                         "T" + *time + "Z");
}

}  // namespace

std::optional<Instant> parse_date(std::string_view text) {
    if (const auto exact = parse_instant(text)) {
        return exact;
    }
    // 2031-07-09, 2031/7/9, with a clock behind it.
    const std::size_t end = std::min(text.find_first_of(" T"), text.size());
    const auto parts = text::split(text.substr(0, end), "-/");
    if (parts.size() == 3 && parts[0].size() == 4) {
        const auto year = number(parts[0]);
        const auto month = number(parts[1]);
        const auto day = number(parts[2]);
        if (year && month && day) {
            return instant_of(*year, *month, *day, text.substr(std::min(end + 1, text.size())));
        }
    }
    // July 9, 2031 08:00:00 and 9 July 2031.
    const auto words = text::split(text, " ,");
    if (words.size() < 3 || words.size() > 4) {
        return std::nullopt;
    }
    const bool month_first = month_of(words[0]) != 0;
    const int month = month_of(words[month_first ? 0 : 1]);
    const auto day = number(words[month_first ? 1 : 0]);
    const auto year = number(words[2]);
    if (month == 0 || !day || !year) {
        return std::nullopt;
    }
    return instant_of(*year, month, *day, words.size() == 4 ? words[3] : std::string_view());
}

}  // namespace arbiter::engine::internal
