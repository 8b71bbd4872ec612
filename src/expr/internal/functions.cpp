#include "expr/internal/functions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "expr/internal/decimal.h"

namespace arbiter::expr::internal {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kAnyCount = std::numeric_limits<std::size_t>::max();

// 2^53: from here on integers are not exact.
constexpr double kExactEnd = 9007199254740992.0;

// mathjs's tolerance, and the corresponding number of decimals.
constexpr double kTolerance = 1e-12;
constexpr int kToleranceDecimals = 12;

// mathjs first removes rounding errors, so that they do not decide round(1.4999999999999999).
double round_at(double number, int decimals) noexcept {
    if (decimals < kToleranceDecimals) {
        const double quiet = cut_decimals(number, kToleranceDecimals, Cut::kHalfAway);
        if (nearly_equal(number, quiet)) {
            number = quiet;
        }
    }
    return cut_decimals(number, decimals, Cut::kHalfAway);
}

// The requested number of decimals; empty if it is not valid.
std::optional<int> decimals(const Arguments& arguments) noexcept {
    constexpr double kDecimalsMax = 15;
    const double asked = arguments.count > 1 ? arguments.first[1] : 0;
    if (!(asked >= 0 && asked <= kDecimalsMax) || asked != std::floor(asked)) {
        return std::nullopt;
    }
    return static_cast<int>(asked);
}

double round(const Arguments& arguments, Library library) noexcept {
    const double number = arguments.first[0];
    if (library == Library::kJavaScript && arguments.count == 1) {
        // Halves are rounded up, also below zero.
        const double below = std::floor(number);
        return number - below >= 0.5 ? below + 1 : below;
    }
    const std::optional<int> places = decimals(arguments);
    return places ? round_at(number, *places) : kNone;
}

double floor(const Arguments& arguments, Library library) noexcept {
    const double number = arguments.first[0];
    if (library == Library::kJavaScript && arguments.count == 1) {
        return std::floor(number);
    }
    const std::optional<int> places = decimals(arguments);
    if (!places) {
        return kNone;
    }
    const double rounded = round_at(number, *places);
    if (nearly_equal(number, rounded)) {
        return rounded;
    }
    return cut_decimals(number, *places, number < 0 ? Cut::kAwayFromZero : Cut::kTowardZero);
}

double ceil(const Arguments& arguments, Library library) noexcept {
    Arguments mirrored = arguments;
    mirrored.first[0] = -arguments.first[0];
    return -floor(mirrored, library);
}

double log(const Arguments& arguments, Library) noexcept {
    const double number = std::log(arguments.first[0]);
    return arguments.count == 1 ? number : number / std::log(arguments.first[1]);
}

double clamp(const Arguments& arguments, Library) noexcept {
    const auto [number, low, high] = arguments.first;
    return low <= high ? std::clamp(number, low, high) : kNone;
}

using A = const Arguments&;
using L = Library;
constexpr std::array kFunctions{
    Function{"abs", 1, 1, [](A a, L) noexcept { return std::fabs(a.first[0]); }},
    Function{"cbrt", 1, 1, [](A a, L) noexcept { return std::cbrt(a.first[0]); }},
    Function{"ceil", 1, 2, ceil},
    Function{"clamp", 3, 3, clamp},
    Function{"exp", 1, 1, [](A a, L) noexcept { return std::exp(a.first[0]); }},
    Function{"floor", 1, 2, floor},
    Function{"log", 1, 2, log},
    Function{"log10", 1, 1, [](A a, L) noexcept { return std::log10(a.first[0]); }},
    Function{"log2", 1, 1, [](A a, L) noexcept { return std::log2(a.first[0]); }},
    Function{"max", 1, kAnyCount, [](A a, L) noexcept { return a.greatest; }},
    Function{"min", 1, kAnyCount, [](A a, L) noexcept { return a.least; }},
    Function{"mod", 2, 2, [](A a, L) noexcept { return modulo(a.first[0], a.first[1]); }},
    Function{"pow", 2, 2, [](A a, L) noexcept { return std::pow(a.first[0], a.first[1]); }},
    Function{"round", 1, 2, round},
    Function{"sign", 1, 1,
             [](A a, L) noexcept { return a.first[0] == 0 ? 0 : std::copysign(1.0, a.first[0]); }},
    Function{"sqrt", 1, 1, [](A a, L) noexcept { return std::sqrt(a.first[0]); }},
    Function{"trunc", 1, 1, [](A a, L) noexcept { return std::trunc(a.first[0]); }},
};

}  // namespace

void Arguments::add(double argument) noexcept {
    if (count < first.size()) {
        first[count] = argument;
    }
    least = count == 0 ? argument : std::min(least, argument);
    greatest = count == 0 ? argument : std::max(greatest, argument);
    ++count;
}

const Function* find_function(std::string_view name) noexcept {
    for (const Function& function : kFunctions) {
        if (function.name == name) {
            return &function;
        }
    }
    return nullptr;
}

std::optional<double> find_constant(std::string_view name, Library library) noexcept {
    const bool javascript = library == Library::kJavaScript;
    if (name == (javascript ? "PI" : "pi")) {
        return std::numbers::pi;
    }
    if (name == (javascript ? "E" : "e")) {
        return std::numbers::e;
    }
    return std::nullopt;
}

double modulo(double number, double divisor) noexcept {
    if (divisor == 0) {
        return number;
    }
    const double quotient = number / divisor;
    if (!(std::fabs(number) < kExactEnd && std::fabs(quotient) < kExactEnd)) {
        return kNone;
    }
    if (number == std::floor(number) && divisor == std::floor(divisor)) {
        const double rest = std::fmod(number, divisor);
        return rest != 0 && (rest < 0) != (divisor < 0) ? rest + divisor : rest;
    }
    // 0.3 / 0.1 is slightly less than 3; the remainder must be 0, not 0.1.
    constexpr double kNoise = 4 * std::numeric_limits<double>::epsilon();
    if (std::fabs(quotient - std::round(quotient)) <= std::fabs(quotient) * kNoise) {
        return 0;
    }
    return number - divisor * std::floor(quotient);
}

double factorial(double number) noexcept {
    constexpr double kFactorialMax = 170;  // the largest that a double can hold
    if (!(number >= 0 && number <= kFactorialMax) || number != std::floor(number)) {
        return kNone;
    }
    double product = 1;
    for (double factor = 2; factor <= number; ++factor) {
        product *= factor;
    }
    return product;
}

bool nearly_equal(double a, double b) noexcept {
    const double difference = std::fabs(a - b);
    return difference <= std::numeric_limits<double>::epsilon() ||
           difference <= std::max(std::fabs(a), std::fabs(b)) * kTolerance;
}

}  // namespace arbiter::expr::internal
