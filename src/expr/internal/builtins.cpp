#include "expr/internal/builtins.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "base/limits.h"
#include "expr/internal/decimal.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/number.h"
#include "value/object.h"

namespace arbiter::expr::internal {

using value::Value;

namespace {

using Values = std::span<const Known>;

std::optional<double> number_at(Values values, std::size_t index) {
    return index < values.size() && values[index] ? number_of(*values[index]) : std::nullopt;
}

// All numbers of the arguments; a list counts as its elements. Empty if one is not a number.
std::optional<std::vector<double>> numbers(Values values) {
    std::vector<double> out;
    for (const Known& value : values) {
        if (!value) {
            return std::nullopt;
        }
        if (value->is_array()) {
            for (const Value& element : value->as_array()) {
                const auto number = number_of(undescribed(element));
                if (!number) {
                    return std::nullopt;
                }
                out.push_back(*number);
            }
            continue;
        }
        const auto number = number_of(*value);
        if (!number) {
            return std::nullopt;
        }
        out.push_back(*number);
    }
    return out;
}

Known least(Values values) {
    const auto all = numbers(values);
    return all && !all->empty() ? number_value(std::ranges::min(*all)) : std::nullopt;
}
Known greatest(Values values) {
    const auto all = numbers(values);
    return all && !all->empty() ? number_value(std::ranges::max(*all)) : std::nullopt;
}
Known sum(Values values) {
    const auto all = numbers(values);
    if (!all) {
        return std::nullopt;
    }
    double total = 0;
    for (const double number : *all) {
        total += number;
    }
    return number_value(total);
}
Known of_number(Values values, double (*apply)(double)) {
    const auto number = number_at(values, 0);
    return number ? number_value(apply(*number)) : std::nullopt;
}
// 0.1 * 30 is a little more than 3: rounding errors must not change a floor.
double without_noise(double number) {
    return round_significant(number);
}
Known floor_of(Values values) {
    return of_number(values, [](double number) { return std::floor(without_noise(number)); });
}
Known ceil_of(Values values) {
    return of_number(values, [](double number) { return std::ceil(without_noise(number)); });
}
Known abs_of(Values values) {
    return of_number(values, [](double number) { return std::fabs(number); });
}
Known round_of(Values values) {
    const auto number = number_at(values, 0);
    const auto digits = values.size() > 1 ? number_at(values, 1) : std::optional(0.0);
    if (!number || !digits || *digits < 0 || *digits > 12) {
        return std::nullopt;
    }
    return number_value(cut_decimals(*number, static_cast<int>(*digits), Cut::kHalfAway));
}
Known clamp_of(Values values) {
    const auto number = number_at(values, 0);
    const auto low = number_at(values, 1);
    const auto high = number_at(values, 2);
    return number && low && high ? number_value(std::max(*low, std::min(*number, *high)))
                                 : std::nullopt;
}
// The size of a container or text; 0 for a missing value.
Known count(Values values) {
    if (!values[0]) {
        return Value(0);
    }
    const Value& value = *values[0];
    const std::size_t size = value.is_array()    ? value.as_array().size()
                             : value.is_object() ? value.as_object().size()
                             : value.is_string() ? text::count(value.as_string())
                                                 : 0;
    return Value(static_cast<std::int64_t>(size));
}
Known has(Values values) {
    return Value(values[0].has_value());
}
// A number itself, or the first number in a text.
Known number(Values values) {
    if (!values[0]) {
        return std::nullopt;
    }
    if (values[0]->is_number()) {
        return values[0];
    }
    const auto found = values[0]->is_string() ? first_number(values[0]->as_string()) : std::nullopt;
    return found ? number_value(*found) : std::nullopt;
}
// pick(value, case, result, case, result, …, default)
Known pick(Values values) {
    if (!values[0]) {
        return values.size() % 2 == 0 ? values.back() : std::nullopt;
    }
    for (std::size_t i = 1; i + 1 < values.size(); i += 2) {
        if (values[i] && *values[i] == *values[0]) {
            return values[i + 1];
        }
    }
    return values.size() % 2 == 0 ? values.back() : std::nullopt;
}
// Unknown beyond base::kFormulaTextBytesMax.
Known join(Values values) {
    std::string out;
    for (const Known& value : values) {
        if (!value || (!value->is_string() && !value->is_number())) {
            return std::nullopt;
        }
        std::array<char, value::kNumberTextMax> digits;
        std::string_view piece;
        if (value->is_string()) {
            piece = value->as_string();
        } else {
            piece = {digits.data(), value->is_int()
                                        ? value::print_int(value->as_int(), digits.data())
                                        : value::print_double(value->as_double(), digits.data())};
        }
        if (piece.size() > base::kFormulaTextBytesMax - out.size()) {
            return std::nullopt;
        }
        out += piece;
    }
    return Value(std::string_view(out));
}

constexpr std::size_t kMany = 64;
constexpr auto kBuiltins = std::to_array<Builtin>({{"min", 1, kMany, least, true},
                                                   {"max", 1, kMany, greatest, true},
                                                   {"sum", 1, kMany, sum, true},
                                                   {"floor", 1, 1, floor_of},
                                                   {"ceil", 1, 1, ceil_of},
                                                   {"round", 1, 2, round_of},
                                                   {"abs", 1, 1, abs_of},
                                                   {"clamp", 3, 3, clamp_of},
                                                   {"count", 1, 1, count},
                                                   {"has", 1, 1, has},
                                                   {"number", 1, 1, number},
                                                   {"pick", 3, kMany, pick},
                                                   {"join", 1, kMany, join}});

}  // namespace

std::span<const Builtin> builtins() noexcept {
    return kBuiltins;
}

}  // namespace arbiter::expr::internal
