#include "card/internal/zod_node.h"

#include <cmath>

namespace arbiter::card::internal {

value::Value zod_number(double number) {
    constexpr double kExact = 9'007'199'254'740'992.0;
    const bool whole = std::trunc(number) == number && std::fabs(number) < kExact;
    return whole ? value::Value(static_cast<std::int64_t>(number)) : value::Value(number);
}

}  // namespace arbiter::card::internal
