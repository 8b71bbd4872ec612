// Merging one value into another.
#pragma once

#include <cstdint>

#include "value/value.h"

namespace arbiter::value {

enum class Merge : std::uint8_t {
    kReplace,  // the patch itself
    kShallow,  // members of the patch replace or extend those of the base
    kDeep,     // the same on every level where both sides are objects
    kIndexed   // as kDeep, and where both sides are arrays, element by element
};

// Only objects merge; if either side is not an object, the patch replaces the base. Arrays are
// replaced as a whole except by kIndexed; null sets null. Members of the base keep their positions;
// new ones follow in the order of the patch.
Value merge(const Value& base, const Value& patch, Merge strategy);

}  // namespace arbiter::value
