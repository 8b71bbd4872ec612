// The text of a decimal number, for the lexers of arithmetic and formulas. Pure functions.
#pragma once

#include <cstddef>
#include <string_view>

#include "text/ascii.h"

namespace arbiter::expr::internal {

// The end of the run of digits that begins at `at`; `at` itself if there is none.
constexpr std::size_t digits_end(std::string_view text, std::size_t at) noexcept {
    while (at < text.size() && text::is_digit(text[at])) {
        ++at;
    }
    return at;
}

// The end of the digits at `at` and of a fraction behind them: 12 or 12.5, but not the dot of
// "12.".
constexpr std::size_t decimal_end(std::string_view text, std::size_t at) noexcept {
    const std::size_t whole = digits_end(text, at);
    if (whole == at || whole >= text.size() || text[whole] != '.') {
        return whole;
    }
    const std::size_t end = digits_end(text, whole + 1);
    return end > whole + 1 ? end : whole;
}

// JSON's grammar has no leading zeros: 007 becomes 7, and 00.5 becomes 0.5.
constexpr std::string_view without_leading_zeros(std::string_view digits) noexcept {
    while (digits.size() > 1 && digits[0] == '0' && digits[1] != '.') {
        digits.remove_prefix(1);
    }
    return digits;
}

}  // namespace arbiter::expr::internal
