// The functions of transforms that only cut a number to bounds.
#pragma once

#include <functional>
#include <optional>

#include "card/internal/script_syntax.h"

namespace arbiter::card::internal {

struct NumberBounds {
    std::optional<double> min = {};
    std::optional<double> max = {};
    bool rounds = false;
};
// v => _.clamp(v, 0, 100), v => Math.max(0, Math.min(v, 100)) and the like; nothing for a function
// that does anything else. `constant` works out a bound.
std::optional<NumberBounds> bounds_of(
    const Syntax& function, const std::function<std::optional<double>(const Syntax&)>& constant);

}  // namespace arbiter::card::internal
