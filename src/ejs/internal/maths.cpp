#include "ejs/internal/maths.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "ejs/internal/convert.h"
#include "ejs/internal/machine.h"
#include "ejs/internal/methods.h"

namespace arbiter::ejs::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <double (*kFunction)(double)>
Datum of_one(Machine&, Arguments arguments) {
    return kFunction(to_number(argument(arguments, 0)));
}

double floor(double x) {
    return std::floor(x);
}
double ceil(double x) {
    return std::ceil(x);
}
// Halves go up, also below zero.
double round(double x) {
    const double down = std::floor(x);
    return x - down >= 0.5 ? down + 1 : down;
}
double trunc(double x) {
    return std::trunc(x);
}
double absolute(double x) {
    return std::abs(x);
}
double sign(double x) {
    if (std::isnan(x) || x == 0) {
        return x;
    }
    return x < 0 ? -1 : 1;
}
double square_root(double x) {
    return std::sqrt(x);
}
double cube_root(double x) {
    return std::cbrt(x);
}
double exponential(double x) {
    return std::exp(x);
}
double logarithm(double x) {
    return std::log(x);
}
double logarithm2(double x) {
    return std::log2(x);
}
double logarithm10(double x) {
    return std::log10(x);
}
double sine(double x) {
    return std::sin(x);
}
double cosine(double x) {
    return std::cos(x);
}

Datum maximum(Machine& machine, Arguments arguments) {
    double most = -kInfinity;
    for (const Datum& each : arguments) {
        const double number = to_number(each);
        most = std::isnan(number) || number > most ? number : most;
        if (std::isnan(number) || !machine.spend(1)) {
            break;
        }
    }
    return most;
}
Datum minimum(Machine& machine, Arguments arguments) {
    double least = kInfinity;
    for (const Datum& each : arguments) {
        const double number = to_number(each);
        least = std::isnan(number) || number < least ? number : least;
        if (std::isnan(number) || !machine.spend(1)) {
            break;
        }
    }
    return least;
}
Datum power(Machine&, Arguments arguments) {
    const double base = to_number(argument(arguments, 0));
    const double exponent = to_number(argument(arguments, 1));
    const bool is_undecided = std::isnan(exponent) || (std::abs(base) == 1 && std::isinf(exponent));
    return is_undecided ? std::nan("") : std::pow(base, exponent);
}
Datum hypotenuse(Machine&, Arguments arguments) {
    double sum = 0;
    for (const Datum& each : arguments) {
        const double number = to_number(each);
        sum += number * number;
    }
    return std::sqrt(sum);
}
Datum random(Machine& machine, Arguments) {
    return machine.fail(Fault::kVaries, "Math.random");
}

constexpr auto kFunctions = std::to_array<Builtin>({
    {"floor", of_one<floor>},
    {"ceil", of_one<ceil>},
    {"round", of_one<round>},
    {"trunc", of_one<trunc>},
    {"abs", of_one<absolute>},
    {"sign", of_one<sign>},
    {"sqrt", of_one<square_root>},
    {"cbrt", of_one<cube_root>},
    {"exp", of_one<exponential>},
    {"log", of_one<logarithm>},
    {"log2", of_one<logarithm2>},
    {"log10", of_one<logarithm10>},
    {"sin", of_one<sine>},
    {"cos", of_one<cosine>},
    {"max", maximum},
    {"min", minimum},
    {"pow", power},
    {"hypot", hypotenuse},
    {"random", random},
});

struct Constant {
    std::string_view name;
    double number;
};
constexpr auto kConstants = std::to_array<Constant>({
    {"PI", std::numbers::pi},
    {"E", std::numbers::e},
    {"LN2", std::numbers::ln2},
    {"LN10", std::numbers::ln10},
    {"SQRT2", std::numbers::sqrt2},
    {"MAX_SAFE_INTEGER", 9007199254740991.0},
    {"MIN_SAFE_INTEGER", -9007199254740991.0},
    {"MAX_VALUE", std::numeric_limits<double>::max()},
    {"EPSILON", std::numeric_limits<double>::epsilon()},
    {"POSITIVE_INFINITY", kInfinity},
    {"NEGATIVE_INFINITY", -kInfinity},
    {"NaN", std::numeric_limits<double>::quiet_NaN()},
});

}  // namespace

std::span<const Builtin> math_functions() noexcept {
    return kFunctions;
}

std::optional<double> math_constant(std::string_view name) noexcept {
    for (const Constant& each : kConstants) {
        if (each.name == name) {
            return each.number;
        }
    }
    return std::nullopt;
}

}  // namespace arbiter::ejs::internal
