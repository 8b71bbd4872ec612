// The functions and operators of arithmetic, on doubles. A result that is not finite means that
// there is none. Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace arbiter::expr::internal {

// The library of a function: plain names and math. are mathjs's, Math. is JavaScript's.
enum class Library : std::uint8_t { kMathjs, kJavaScript };

// The arguments of a call: the first three by position, and the extremes of all.
struct Arguments {
    std::array<double, 3> first = {};
    std::size_t count = 0;
    double least = 0;
    double greatest = 0;

    void add(double argument) noexcept;
};

struct Function {
    std::string_view name;
    std::size_t count_min;
    std::size_t count_max;
    double (*apply)(const Arguments&, Library) noexcept;
};

// Null for an unknown name.
const Function* find_function(std::string_view name) noexcept;

// Math.PI, Math.E, math.pi, math.e; without a library these are not constants.
std::optional<double> find_constant(std::string_view name, Library library) noexcept;

// Has the sign of the divisor; modulo 0 is `number` itself, as in mathjs. No result beyond 2^53,
// where doubles are not exact.
double modulo(double number, double divisor) noexcept;
// Of an integer from 0 to 170.
double factorial(double number) noexcept;
// Equal up to rounding errors, as mathjs compares.
bool nearly_equal(double a, double b) noexcept;

}  // namespace arbiter::expr::internal
