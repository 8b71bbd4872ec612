#include "conflict/internal/numbers.h"

#include <algorithm>
#include <array>
#include <utility>

#include "text/ascii.h"
#include "text/utf8.h"

namespace arbiter::conflict::internal {
namespace {

constexpr std::int64_t kMax = 1'000'000'000'000;

std::optional<Number> digits_at(std::string_view rest, char before) {
    if (rest.empty() || !text::is_digit(rest[0]) || text::is_letter(before) || before == '.') {
        return std::nullopt;
    }
    Number number;
    while (number.size < rest.size()) {
        const char c = rest[number.size];
        if (text::is_digit(c)) {
            number.value = std::min(number.value * 10 + (c - '0'), kMax);
        } else if (!(c == ',' && rest.size() > number.size + 3 &&
                     std::ranges::all_of(rest.substr(number.size + 1, 3), text::is_digit) &&
                     (rest.size() == number.size + 4 || !text::is_digit(rest[number.size + 4])))) {
            break;
        }
        ++number.size;
    }
    // 3.5, 7th and 2d6 are not counts.
    const std::string_view tail = rest.substr(number.size);
    if ((tail.size() > 1 && tail[0] == '.' && text::is_digit(tail[1])) ||
        (!tail.empty() && text::is_letter(tail[0]) && !tail.starts_with("hp") &&
         !tail.starts_with("mp") && !tail.starts_with("pt"))) {
        return std::nullopt;
    }
    return number;
}

int han_digit(char32_t c) {
    switch (c) {
        case U'零':
        case U'〇':
            return 0;
        case U'一':
            return 1;
        case U'二':
        case U'两':
        case U'俩':
            return 2;
        case U'三':
            return 3;
        case U'四':
            return 4;
        case U'五':
            return 5;
        case U'六':
            return 6;
        case U'七':
            return 7;
        case U'八':
            return 8;
        case U'九':
            return 9;
        default:
            return -1;
    }
}

std::int64_t han_unit(char32_t c) {
    switch (c) {
        case U'十':
            return 10;
        case U'百':
            return 100;
        case U'千':
            return 1000;
        case U'万':
            return 10000;
        default:
            return 0;
    }
}

std::optional<Number> han_at(std::string_view rest) {
    Number number;
    std::int64_t total = 0;
    std::int64_t digit = -1;
    bool units = false;
    std::int64_t last_unit = 0;  // of the digit behind it: 一百四 is 140
    std::size_t characters = 0;
    while (number.size < rest.size()) {
        const text::Decoded c = text::decode(rest.substr(number.size));
        const int value = han_digit(c.code_point);
        const std::int64_t unit = han_unit(c.code_point);
        if (value < 0 && unit == 0) {
            break;
        }
        // 二十八两: the measure, unless it counts thousands (一万两千).
        if ((c.code_point == U'两' || c.code_point == U'俩') && characters > 0 &&
            han_unit(text::decode(rest.substr(number.size + c.size)).code_point) < 100) {
            break;
        }
        if (value >= 0) {
            digit = units || digit < 0 ? value : std::min(digit * 10 + value, kMax);
            units = false;
        } else if (unit == 10000) {
            total =
                std::min((total + std::max<std::int64_t>(digit, total > 0 ? 0 : 1)) * unit, kMax);
            digit = -1;
            units = true;
        } else {
            total += (digit < 0 ? 1 : digit) * unit;
            digit = -1;
            units = true;
        }
        if (value < 0) {
            last_unit = unit;
        } else if (value == 0) {
            last_unit = 0;
        }
        number.size += c.size;
        ++characters;
    }
    if (characters == 0) {
        return std::nullopt;
    }
    if (last_unit >= 100 && digit > 0 && digit < 10) {
        digit *= last_unit / 10;
    }
    number.value = std::min(total + std::max<std::int64_t>(digit, 0), kMax);
    const std::string_view tail = rest.substr(number.size);
    if (tail.starts_with("分之")) {
        const std::size_t skip = std::string_view("分之").size();
        if (const auto part = han_at(tail.substr(skip)); part && number.value > 0) {
            return Number{number.size + skip + part->size, part->value, number.value};
        }
    }
    return number;
}

constexpr std::array<std::pair<std::string_view, int>, 28> kWords = {{
    {"one", 1},      {"two", 2},        {"three", 3},     {"four", 4},      {"five", 5},
    {"six", 6},      {"seven", 7},      {"eight", 8},     {"nine", 9},      {"ten", 10},
    {"eleven", 11},  {"twelve", 12},    {"thirteen", 13}, {"fourteen", 14}, {"fifteen", 15},
    {"sixteen", 16}, {"seventeen", 17}, {"eighteen", 18}, {"nineteen", 19}, {"twenty", 20},
    {"thirty", 30},  {"forty", 40},     {"fifty", 50},    {"sixty", 60},    {"seventy", 70},
    {"eighty", 80},  {"ninety", 90},    {"zero", 0},
}};

std::optional<std::pair<std::size_t, int>> word_at(std::string_view rest) {
    if (rest.empty()) {
        return std::nullopt;
    }
    for (const auto& [word, value] : kWords) {
        if (word[0] == rest[0] && rest.starts_with(word) &&
            (rest.size() == word.size() || !text::is_letter(rest[word.size()]))) {
            return std::pair(word.size(), value);
        }
    }
    return std::nullopt;
}

// One to ninety-nine.
std::optional<Number> small_at(std::string_view rest) {
    const auto first = word_at(rest);
    if (!first) {
        return std::nullopt;
    }
    Number number{first->first, first->second, 0};
    if (number.value >= 20 && number.value % 10 == 0) {
        const std::string_view tail = rest.substr(number.size);
        if (tail.starts_with('-') || tail.starts_with(' ')) {
            const auto unit = word_at(tail.substr(1));
            if (unit && unit->second > 0 && unit->second < 10) {
                number.size += 1 + unit->first;
                number.value += unit->second;
            }
        }
    }
    return number;
}

std::optional<Number> words_at(std::string_view rest, char before) {
    // The first letters of all words below: most words differ in them.
    constexpr std::string_view kFirst = "aefhnostz";
    if (text::is_letter(before) || rest.empty() || kFirst.find(rest[0]) == std::string_view::npos) {
        return std::nullopt;
    }
    for (const auto& [words, value] :
         {std::pair<std::string_view, int>{"half a dozen", 6}, {"a dozen", 12}}) {
        if (rest.starts_with(words) &&
            (rest.size() == words.size() || !text::is_letter(rest[words.size()]))) {
            return Number{words.size(), value, 0};
        }
    }
    auto number = small_at(rest);
    // "a hundred dollars"
    if (!number && (rest.starts_with("a hundred ") || rest.starts_with("a thousand "))) {
        number = Number{1, 1, 0};
    }
    if (!number) {
        return std::nullopt;
    }
    for (const auto& [word, factor] :
         {std::pair<std::string_view, int>{" hundred", 100}, {" thousand", 1000}}) {
        if (rest.substr(number->size).starts_with(word)) {
            number->size += word.size();
            number->value *= factor;
            // "two hundred and six"
            const std::string_view tail = rest.substr(number->size);
            const std::size_t skip = tail.starts_with(" and ") ? 5 : 1;
            if (tail.size() > skip && tail[0] == ' ') {
                if (const auto more = small_at(tail.substr(skip)); more && more->value > 0) {
                    number->size += skip + more->size;
                    number->value += more->value;
                }
            }
        }
    }
    return number;
}

}  // namespace

bool begins_number(char32_t c) noexcept {
    return c < 0x80 || han_digit(c) >= 0 || han_unit(c) > 0;
}

std::optional<Number> number_at(std::string_view rest, char before) {
    if (!rest.empty() && static_cast<std::uint8_t>(rest[0]) >= 0x80) {
        return han_at(rest);
    }
    if (const auto digits = digits_at(rest, before)) {
        return digits;
    }
    return words_at(rest, before);
}

}  // namespace arbiter::conflict::internal
