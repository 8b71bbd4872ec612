#include "engine/internal/arithmetic.h"

#include <charconv>
#include <cmath>

#include "value/number.h"

namespace arbiter::engine::internal {

using proposal::Arithmetic;
using value::Value;

namespace {

// Nothing where the result is not an int64.
std::optional<std::int64_t> calculate_whole(std::int64_t left, Arithmetic operation,
                                            std::int64_t right) {
    std::int64_t result = 0;
    switch (operation) {
        case Arithmetic::kAdd:
            return __builtin_add_overflow(left, right, &result) ? std::nullopt
                                                                : std::optional(result);
        case Arithmetic::kSubtract:
            return __builtin_sub_overflow(left, right, &result) ? std::nullopt
                                                                : std::optional(result);
        case Arithmetic::kMultiply:
            return __builtin_mul_overflow(left, right, &result) ? std::nullopt
                                                                : std::optional(result);
        case Arithmetic::kDivide:
            // INT64_MIN / -1 overflows.
            if (right == -1) {
                return calculate_whole(0, Arithmetic::kSubtract, left);
            }
            if (right == 0 || left % right != 0) {
                return std::nullopt;
            }
            return left / right;
    }
    return std::nullopt;
}

// Rounds to 12 significant digits, as MVU does, so that 0.1 + 0.2 is 0.3.
Value round_digits(double number) {
    char text[value::kNumberTextMax];
    const auto printed =
        std::to_chars(text, text + sizeof text, number, std::chars_format::general, 12);
    const value::ReadNumber rounded =
        value::read_number(std::string_view(text, static_cast<std::size_t>(printed.ptr - text)));
    return rounded.form == value::ReadNumber::Form::kInt ? Value(rounded.integer)
                                                         : Value(rounded.real);
}

}  // namespace

std::optional<Value> calculate(const Value& left, Arithmetic operation, const Value& right) {
    if (left.is_int() && right.is_int()) {
        if (const auto whole = calculate_whole(left.as_int(), operation, right.as_int())) {
            return Value(*whole);
        }
    }
    const double a = left.as_double();
    const double b = right.as_double();
    double result = 0;
    switch (operation) {
        case Arithmetic::kAdd:
            result = a + b;
            break;
        case Arithmetic::kSubtract:
            result = a - b;
            break;
        case Arithmetic::kMultiply:
            result = a * b;
            break;
        case Arithmetic::kDivide:
            if (b == 0) {
                return std::nullopt;
            }
            result = a / b;
            break;
    }
    return std::isfinite(result) ? std::optional(round_digits(result)) : std::nullopt;
}

}  // namespace arbiter::engine::internal
