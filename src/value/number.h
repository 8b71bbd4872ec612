// Numbers as text: printed as JavaScript prints them, read exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace arbiter::value {

// Buffer size that is enough for any number.
inline constexpr std::size_t kNumberTextMax = 32;

// Writes the shortest text that reads back as the same double, in JavaScript's layout (1e21 and
// 1e-7 are the first with an exponent; -0 is "0"). `number` must be finite. Returns the length.
std::size_t print_double(double number, char* out) noexcept;
std::size_t print_int(std::int64_t number, char* out) noexcept;

// A number read from text.
struct ReadNumber {
    enum class Form : std::uint8_t {
        kInt,      // whole and fits: `integer`
        kDouble,   // `real`, finite
        kRounded,  // a whole number beyond int64: `real` is the nearest double
        kTooLarge  // beyond every double
    };
    Form form;
    std::int64_t integer = 0;
    double real = 0;
};
// `text` must follow JSON's grammar for numbers.
ReadNumber read_number(std::string_view text) noexcept;

// A decimal numeral such as 1.5 or .5e3, the whole text. Nothing if it is something else, or beyond
// the range of doubles on either side.
std::optional<double> read_double(std::string_view text) noexcept;

// The integer that a whole double stands for: the one that JavaScript prints for it, if it fits.
std::optional<std::int64_t> whole(double number) noexcept;

}  // namespace arbiter::value
