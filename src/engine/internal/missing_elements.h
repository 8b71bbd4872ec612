// The elements that a command removed from a list or changed.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "value/value.h"

namespace arbiter::engine::internal {

// The positions of the elements of `before`, an array, that `after` does not contain at any
// position, as far as they concern the caller. Costs what changed, if `after` was made from
// `before`. `after` may be something else than an array, or nullptr.
std::vector<std::size_t> missing_elements(const value::Value& before, const value::Value* after,
                                          const std::function<bool(const value::Value&)>& concerns);

}  // namespace arbiter::engine::internal
