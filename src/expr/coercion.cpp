#include "expr/coercion.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "expr/internal/decimal.h"
#include "expr/internal/number_text.h"
#include "text/ascii.h"
#include "value/array.h"
#include "value/number.h"

namespace arbiter::expr {

using value::Value;

namespace {

// Digits of a number in a text that are read; more do not change a double.
constexpr std::size_t kDigitsMax = 300;

}  // namespace

std::optional<double> number_of(const Value& value) {
    if (value.is_number()) {
        return value.as_double();
    }
    if (!value.is_string() || value.as_string().size() > value::kNumberTextMax) {
        return std::nullopt;
    }
    const auto first = first_number(value.as_string());
    // The whole text must be the number.
    std::string_view text = value.as_string();
    const bool plain = !text.empty() && std::ranges::all_of(text, [](char c) {
        return text::is_digit(c) || c == '.' || c == '-' || c == '+';
    });
    const bool one = std::ranges::count(text, '.') <= 1 && text.find_last_of("+-") + 1 <= 1;
    return plain && one ? first : std::nullopt;
}

bool is_true(const Value& value) {
    if (value.is_bool()) {
        return value.as_bool();
    }
    if (value.is_string()) {
        return value.as_string() == "true";
    }
    return value.is_number() && value.as_double() != 0;
}

Known number_value(double number) {
    if (!std::isfinite(number)) {
        return std::nullopt;
    }
    if (const auto whole = value::whole(number)) {
        return Value(*whole);
    }
    const double rounded = internal::round_significant(number);
    return std::isfinite(rounded) ? Known(Value(rounded)) : std::nullopt;
}

std::optional<double> first_number(std::string_view text) {
    const auto first = std::ranges::find_if(text, text::is_digit);
    const auto at = static_cast<std::size_t>(first - text.begin());
    const std::size_t end = internal::decimal_end(text, at);
    if (end == at) {
        return std::nullopt;
    }
    const bool starts_with_point = at > 0 && text[at - 1] == '.';  // .5
    const std::string_view before = text.substr(0, starts_with_point ? at - 1 : at);
    const bool negative = before.ends_with('-') || before.ends_with("－") || before.ends_with("−");
    const std::string_view digits = text.substr(at, end - at);
    const std::string number_text =
        starts_with_point
            ? "0." + std::string(digits)
            : std::string(internal::without_leading_zeros(digits.substr(0, kDigitsMax)));
    const value::ReadNumber read = value::read_number(number_text);
    if (read.form == value::ReadNumber::Form::kTooLarge) {
        return std::nullopt;
    }
    const double number =
        read.form == value::ReadNumber::Form::kInt ? static_cast<double>(read.integer) : read.real;
    return negative ? -number : number;
}

}  // namespace arbiter::expr
