#include "expr/internal/decimal.h"

#include <charconv>
#include <cstddef>
#include <limits>
#include <string_view>

#include "base/check.h"
#include "value/number.h"

namespace arbiter::expr::internal {
namespace {

// Digits of a result.
constexpr int kSignificant = 12;
// Digits that determine the rounding of the exact value: a double that is this close to a tie is
// one.
constexpr int kExactDigits = 41;

// A number other than zero: D.DDD × 10^exponent; `text` has the digits.
struct Digits {
    bool negative = false;
    char text[kExactDigits + 1] = {};
    int count = 0;
    int exponent = 0;
};

// Parses the scientific form that to_chars writes.
Digits read_digits(std::string_view scientific) noexcept {
    Digits digits;
    std::size_t i = 0;
    if (scientific.starts_with('-')) {
        digits.negative = true;
        ++i;
    }
    for (; i < scientific.size() && scientific[i] != 'e'; ++i) {
        if (scientific[i] != '.') {
            CHECK(digits.count < kExactDigits);
            digits.text[digits.count++] = scientific[i];
        }
    }
    CHECK(i + 1 < scientific.size());
    i += scientific[i + 1] == '+' ? 2 : 1;
    std::from_chars(scientific.data() + i, scientific.data() + scientific.size(), digits.exponent);
    return digits;
}

double to_double(const Digits& digits) noexcept {
    char text[kExactDigits + 16];
    char* out = text;
    if (digits.negative) {
        *out++ = '-';
    }
    for (int i = 0; i < digits.count; ++i) {
        *out++ = digits.text[i];
        if (i == 0 && digits.count > 1) {
            *out++ = '.';
        }
    }
    *out++ = 'e';
    out = std::to_chars(out, text + sizeof text, digits.exponent).ptr;
    const value::ReadNumber number =
        value::read_number({text, static_cast<std::size_t>(out - text)});
    switch (number.form) {
        case value::ReadNumber::Form::kInt:
            return 0;  // too small for any double
        case value::ReadNumber::Form::kDouble:
        case value::ReadNumber::Form::kRounded:
            return number.real;
        case value::ReadNumber::Form::kTooLarge:
            break;
    }
    return digits.negative ? -std::numeric_limits<double>::infinity()
                           : std::numeric_limits<double>::infinity();
}

bool rounds_up(const Digits& digits, int keep, Cut cut) noexcept {
    switch (cut) {
        case Cut::kHalfAway:
            return keep >= 0 && digits.text[keep] >= '5';
        case Cut::kTowardZero:
            return false;
        case Cut::kAwayFromZero:
            break;
    }
    for (int i = keep > 0 ? keep : 0; i < digits.count; ++i) {
        if (digits.text[i] != '0') {
            return true;
        }
    }
    return false;
}

// Rounds to the first `keep` digits; 0 or less rounds at or before the first digit.
double cut_digits(Digits digits, int keep, Cut cut) noexcept {
    if (keep >= digits.count) {
        return to_double(digits);
    }
    const bool up = rounds_up(digits, keep, cut);
    if (keep <= 0) {
        if (!up) {
            return 0;
        }
        digits.exponent += 1 - keep;
        digits.count = 1;
        digits.text[0] = '1';
        return to_double(digits);
    }
    digits.count = keep;
    if (up) {
        int i = keep - 1;
        for (; i >= 0 && digits.text[i] == '9'; --i) {
            digits.text[i] = '0';
        }
        if (i >= 0) {
            ++digits.text[i];
        } else {
            digits.text[0] = '1';
            ++digits.exponent;
        }
    }
    return to_double(digits);
}

}  // namespace

double cut_decimals(double number, int decimals, Cut cut) noexcept {
    if (number == 0) {
        return 0;
    }
    char text[kExactDigits + 16];
    const auto end = std::to_chars(text, text + sizeof text, number, std::chars_format::scientific);
    CHECK(end.ec == std::errc());
    const Digits digits = read_digits({text, static_cast<std::size_t>(end.ptr - text)});
    return cut_digits(digits, digits.exponent + 1 + decimals, cut);
}

double round_significant(double number) noexcept {
    if (number == 0) {
        return 0;
    }
    char text[kExactDigits + 16];
    const auto end = std::to_chars(text, text + sizeof text, number, std::chars_format::scientific,
                                   kExactDigits - 1);
    CHECK(end.ec == std::errc());
    return cut_digits(read_digits({text, static_cast<std::size_t>(end.ptr - text)}), kSignificant,
                      Cut::kHalfAway);
}

}  // namespace arbiter::expr::internal
