// Arithmetic in place of a number, as models write it. Evaluated without executing code.
//
// Well-formed arithmetic has the result of mathjs 12, which MVU bundles; any other text is not
// arithmetic and has no result. Both functions are pure, total and linear; a text longer than
// base::kArithmeticBytesMax or nested deeper than base::kArithmeticDepthMax has no result.
//
// Grammar:
//   numbers      12  3.5  .5  5.  1e3  0x1f  0b101  0o17  007
//   operators    + - * / ^ (right to left, before a sign: -2^2 is -4), ( ), n! for n up to 170
//   modulo       7 % 3 and 7 mod 3, before * and /; takes the sign of the divisor
//   percent      50% is 0.5; after + or - it is a part of the left side: 100 - 20% is 80.
//                A % is modulo only where a number, a name or ( follows: 10% + 5 is 5.1
//   product      2(3 + 4), without a space; ambiguous beside a division, so that is text
//   choice       3 > 2 ? 10 : 20, where < <= > >= == != compare as mathjs does (to 12 digits)
//   functions    abs ceil floor round sqrt cbrt min max pow exp log log2 log10 sign trunc mod
//   clamp;
//                also after Math. or math. (Math.round, Math.floor and Math.ceil with one argument
//                are JavaScript's own); Math.PI, Math.E, math.pi and math.e
//   full-width   （ ） ， ＋ － and × ÷ stand for ( ) , + - * /; U+3000 is a space
//
// Not arithmetic: words (also e, pi and i), units, dates (2031-07-09), times, a comparison by
// itself, quotes; and expressions without a finite real value: 1/0, sqrt(-4), 10^400.
#pragma once

#include <optional>
#include <string_view>

#include "value/value.h"

namespace arbiter::expr {

// The result, or empty if the text is not arithmetic. A computed result is rounded to 12
// significant digits unless it is an integer that was computed exactly; a single number is read
// exactly.
std::optional<value::Value> evaluate(std::string_view text) noexcept;

// "+= 5", "-= 20", "*= 2", "/= 4": a change relative to the current value.
struct Relative {
    char op;  // one of + - * /
    value::Value operand;
};

// The operand is any arithmetic; a 0 after "/=" is for the caller to refuse. Empty for any other
// text, also for "+5" (a number) and "+= 20%" (ambiguous).
std::optional<Relative> relative(std::string_view text) noexcept;

}  // namespace arbiter::expr
