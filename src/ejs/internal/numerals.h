// Numerals: texts as JavaScript numbers and back. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace arbiter::ejs::internal {

int hex_digit(char c) noexcept;  // -1: not one

// A numeral of the language: 12, 1.5, .5, 5., 1e3, 0x1F, 0b1, 0o7.
std::optional<double> read_numeral(std::string_view text) noexcept;
// Number(text): blanks around it are allowed, the empty text is 0, anything else is NaN.
double number_of_text(std::string_view text) noexcept;
// parseFloat(text): the longest beginning that is a number.
double leading_number(std::string_view text) noexcept;
// parseInt(text, radix); radix 0 is 10, or 16 behind 0x.
double leading_integer(std::string_view text, int radix) noexcept;

std::string print_number(double number);
// number.toFixed(digits), digits <= 100.
std::string print_fixed(double number, int digits);
// number.toString(radix) of a whole number; radix 2 – 36.
std::string print_radix(double number, int radix);

// Without blanks at both ends: those of ASCII, U+00A0, U+3000 and U+FEFF.
std::string_view trim_start(std::string_view text) noexcept;
std::string_view trim_end(std::string_view text) noexcept;
inline std::string_view trim(std::string_view text) noexcept {
    return trim_end(trim_start(text));
}

}  // namespace arbiter::ejs::internal
