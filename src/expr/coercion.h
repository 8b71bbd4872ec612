// Coercion: how formulas and rules read the values of a document as numbers and conditions. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "value/described.h"
#include "value/value.h"

namespace arbiter::expr {

// The result of an expression; empty: unknown.
using Known = std::optional<value::Value>;

using value::undescribed;
// A number, or a text that is one.
std::optional<double> number_of(const value::Value& value);
// True for true, "true" and numbers other than 0.
bool is_true(const value::Value& value);
// A number as rules write it: an integer if it is whole, else 12 significant digits. Unknown if it
// is not finite.
Known number_value(double number);
// The first number in a text: 5.5 in "5.5(kg)/d", -20 in "-20/d".
std::optional<double> first_number(std::string_view text);

}  // namespace arbiter::expr
