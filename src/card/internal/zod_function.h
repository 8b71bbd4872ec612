// The functions of transforms that only cut a number to bounds.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

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

// The same for members of an object: d => { d.hp = _.clamp(d.hp, 0, 100); return d; }.
struct MemberBounds {
    std::vector<std::string> keys;
    NumberBounds bounds;
};
std::optional<std::vector<MemberBounds>> member_bounds_of(
    const Syntax& function, const std::function<std::optional<double>(const Syntax&)>& constant);

}  // namespace arbiter::card::internal
