#include "ejs/internal/numerals.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "value/number.h"

namespace arbiter::ejs::internal {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr auto kBlanks = std::to_array<std::string_view>(
    {" ", "\t", "\n", "\r", "\f", "\v", "\xC2\xA0", "\xE3\x80\x80", "\xEF\xBB\xBF"});

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

// The size of the decimal numeral at the beginning of a text; 0: none.
std::size_t decimal_size(std::string_view text) noexcept {
    std::size_t at = 0;
    const auto digits = [&] {
        const std::size_t from = at;
        while (at < text.size() && is_digit(text[at])) {
            ++at;
        }
        return at - from;
    };
    std::size_t count = digits();
    if (at < text.size() && text[at] == '.') {
        ++at;
        count += digits();
    }
    if (count == 0) {
        return 0;
    }
    const std::size_t end = at;
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        ++at;
        at += at < text.size() && (text[at] == '+' || text[at] == '-') ? 1 : 0;
        return digits() > 0 ? at : end;
    }
    return end;
}

// `text` is a decimal numeral.
double decimal(std::string_view text) noexcept {
    if (const auto number = value::read_double(text)) {
        return *number;
    }
    // Too large, or too small.
    const std::size_t exponent = text.find_first_of("eE");
    const bool is_small =
        exponent != std::string_view::npos && text.substr(exponent + 1).starts_with('-');
    return is_small ? 0 : kInfinity;
}

double digits_in(std::string_view text, int radix, std::size_t& used) noexcept {
    double number = 0;
    for (used = 0; used < text.size(); ++used) {
        const char c = text[used];
        int digit = -1;
        if (is_digit(c)) {
            digit = c - '0';
        } else if (c >= 'a' && c <= 'z') {
            digit = c - 'a' + 10;
        } else if (c >= 'A' && c <= 'Z') {
            digit = c - 'A' + 10;
        }
        if (digit < 0 || digit >= radix) {
            break;
        }
        number = number * radix + digit;
    }
    return number;
}

int prefix_radix(std::string_view text) noexcept {
    if (text.size() < 3 || text[0] != '0') {
        return 0;
    }
    switch (text[1]) {
        case 'x':
        case 'X':
            return 16;
        case 'o':
        case 'O':
            return 8;
        case 'b':
        case 'B':
            return 2;
        default:
            return 0;
    }
}

}  // namespace

int hex_digit(char c) noexcept {
    if (is_digit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::optional<double> read_numeral(std::string_view text) noexcept {
    if (const int radix = prefix_radix(text); radix != 0) {
        std::size_t used = 0;
        const double number = digits_in(text.substr(2), radix, used);
        return used + 2 == text.size() ? std::optional(number) : std::nullopt;
    }
    if (text.empty() || decimal_size(text) != text.size()) {
        return std::nullopt;
    }
    return decimal(text);
}

double number_of_text(std::string_view text) noexcept {
    text = trim(text);
    if (text.empty()) {
        return 0;
    }
    const bool is_negative = text.front() == '-';
    std::string_view digits = text;
    if (is_negative || text.front() == '+') {
        digits.remove_prefix(1);
        if (prefix_radix(digits) != 0) {
            return kNaN;
        }
    }
    if (digits == "Infinity") {
        return is_negative ? -kInfinity : kInfinity;
    }
    const std::optional<double> number = read_numeral(digits);
    if (!number) {
        return kNaN;
    }
    return is_negative ? -*number : *number;
}

double leading_number(std::string_view text) noexcept {
    text = trim_start(text);
    const bool is_negative = text.starts_with('-');
    if (is_negative || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    double number = kNaN;
    if (text.starts_with("Infinity")) {
        number = kInfinity;
    } else if (const std::size_t size = decimal_size(text); size > 0) {
        number = decimal(text.substr(0, size));
    }
    return is_negative ? -number : number;
}

double leading_integer(std::string_view text, int radix) noexcept {
    text = trim_start(text);
    const bool is_negative = text.starts_with('-');
    if (is_negative || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    if ((radix == 0 || radix == 16) && (text.starts_with("0x") || text.starts_with("0X"))) {
        text.remove_prefix(2);
        radix = 16;
    }
    radix = radix == 0 ? 10 : radix;
    if (radix < 2 || radix > 36) {
        return kNaN;
    }
    std::size_t used = 0;
    double number = digits_in(text, radix, used);
    if (used == 0) {
        return kNaN;
    }
    // Exact beyond 2^53 too.
    number = radix == 10 ? decimal(text.substr(0, used)) : number;
    return is_negative ? -number : number;
}

std::string print_number(double number) {
    if (std::isnan(number)) {
        return "NaN";
    }
    if (std::isinf(number)) {
        return number < 0 ? "-Infinity" : "Infinity";
    }
    std::array<char, value::kNumberTextMax> out;
    return {out.data(), value::print_double(number, out.data())};
}

std::string print_fixed(double number, int digits) {
    if (std::isnan(number) || std::abs(number) >= 1e21) {
        return print_number(number);
    }
    // Digits before the point, the point, up to 100 behind it, and a sign.
    std::array<char, 160> out;
    const auto exact = std::to_chars(out.data(), out.data() + out.size(), std::abs(number),
                                     std::chars_format::fixed, digits);
    std::string text(out.data(), exact.ptr);
    // JavaScript rounds halves up, to_chars to even. Only exact halves differ.
    const double power = std::pow(10.0, digits);
    const double scaled = std::abs(number) * power;
    const bool is_exact = std::fma(std::abs(number), power, -scaled) == 0;
    if (digits <= 15 && is_exact && scaled - std::floor(scaled) == 0.5) {
        const auto rounded =
            std::to_chars(out.data(), out.data() + out.size(), (std::floor(scaled) + 1) / power,
                          std::chars_format::fixed, digits);
        text.assign(out.data(), rounded.ptr);
    }
    return number < 0 ? "-" + text : text;
}

std::string print_radix(double number, int radix) {
    std::string out;
    double whole = std::trunc(std::abs(number));
    do {
        const int digit = static_cast<int>(std::fmod(whole, radix));
        out += static_cast<char>(digit < 10 ? '0' + digit : 'a' + digit - 10);
        whole = std::trunc(whole / radix);
    } while (whole >= 1 && out.size() < 1'100);
    if (number < 0) {
        out += '-';
    }
    std::ranges::reverse(out);
    return out;
}

std::string_view trim_start(std::string_view text) noexcept {
    for (bool found = true; found;) {
        found = false;
        for (const std::string_view blank : kBlanks) {
            if (text.starts_with(blank)) {
                text.remove_prefix(blank.size());
                found = true;
            }
        }
    }
    return text;
}

std::string_view trim_end(std::string_view text) noexcept {
    for (bool found = true; found;) {
        found = false;
        for (const std::string_view blank : kBlanks) {
            if (text.ends_with(blank)) {
                text.remove_suffix(blank.size());
                found = true;
            }
        }
    }
    return text;
}

}  // namespace arbiter::ejs::internal
