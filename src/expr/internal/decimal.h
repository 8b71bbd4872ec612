// Rounding as it is done on paper: on the decimal digits of a number. Pure functions.
#pragma once

#include <cstdint>

namespace arbiter::expr::internal {

enum class Cut : std::uint8_t { kHalfAway, kTowardZero, kAwayFromZero };

// `number` (finite) with at most `decimals` digits after the point, judged by its shortest text:
// 1.005 with two is 1.01, although the double is a little less.
double cut_decimals(double number, int decimals, Cut cut) noexcept;

// `number` (finite) with 12 significant digits, judged by its exact value, as JavaScript's
// toPrecision(12) does. Infinite when rounding up leaves the range of doubles.
double round_significant(double number) noexcept;

}  // namespace arbiter::expr::internal
