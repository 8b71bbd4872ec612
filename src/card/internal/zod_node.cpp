#include "card/internal/zod_node.h"

#include <cmath>

namespace arbiter::card::internal {

void cut_to(ZodNode& node, std::optional<double> min, std::optional<double> max) {
    if (min || max) {
        node.number = true;
        node.clamps = true;
        node.min = min ? min : node.min;
        node.max = max ? max : node.max;
    }
}

bool cut_member(ZodNode& node, std::span<const std::string> keys, std::optional<double> min,
                std::optional<double> max) {
    if (keys.empty()) {
        cut_to(node, min, max);
        return true;
    }
    for (auto& [key, member] : node.members) {
        if (key == keys[0]) {
            ZodNode changed = *member;
            const bool found = cut_member(changed, keys.subspan(1), min, max);
            member = std::make_shared<const ZodNode>(std::move(changed));
            return found;
        }
    }
    return false;
}

value::Value zod_number(double number) {
    constexpr double kExact = 9'007'199'254'740'992.0;
    const bool whole = std::trunc(number) == number && std::fabs(number) < kExact;
    return whole ? value::Value(static_cast<std::int64_t>(number)) : value::Value(number);
}

}  // namespace arbiter::card::internal
