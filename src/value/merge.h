// Merging one value into another.
#pragma once

#include <cstdint>

#include "value/value.h"

namespace arbiter::value {

enum class Merge : std::uint8_t {
    kReplace,  // the patch as it is
    kShallow,  // members of the patch replace or join those of the base
    kDeep      // the same at every level where both sides are objects
};

// Only objects merge: onto anything else, and for anything else, the patch replaces the base.
// Arrays are values, replaced as a whole; null sets null. Members of the base keep their places,
// new ones follow in the order of the patch.
Value merge(const Value& base, const Value& patch, Merge strategy);

}  // namespace arbiter::value
