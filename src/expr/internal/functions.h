// What the names and the operators of arithmetic compute, on plain doubles. A result that is no
// finite number says that there is none. Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace arbiter::expr::internal {

// Whose functions are meant: plain names and math. are mathjs's, Math. is JavaScript's.
enum class Library : std::uint8_t { kMathjs, kJavaScript };

// The arguments of a call: as many as functions look at by position, and the extremes of all.
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

// Math.PI, Math.E, math.pi, math.e; by itself a name is a word.
std::optional<double> find_constant(std::string_view name, Library library) noexcept;

// With the sign of the divisor; by zero it is `number` itself, as in mathjs. None beyond 2^53,
// where the digits that it takes are not known.
double modulo(double number, double divisor) noexcept;
// Of a whole number from 0 to 170.
double factorial(double number) noexcept;
// Equal but for the noise of floating point, as mathjs compares.
bool nearly_equal(double a, double b) noexcept;

}  // namespace arbiter::expr::internal
