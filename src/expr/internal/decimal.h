// Rounding of decimal digits. Pure functions.
#pragma once

#include <cstdint>

namespace arbiter::expr::internal {

enum class Cut : std::uint8_t { kHalfAway, kTowardZero, kAwayFromZero };

// Rounds a finite number to `decimals` digits after the point, by its shortest decimal text: 1.005
// with two digits is 1.01, although the double is a little less.
double cut_decimals(double number, int decimals, Cut cut) noexcept;

// Rounds a finite number to 12 significant digits by its exact value, as JavaScript's
// toPrecision(12) does. Infinite if rounding up leaves the range of doubles.
double round_significant(double number) noexcept;

}  // namespace arbiter::expr::internal
