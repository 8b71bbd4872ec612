// Arithmetic of the game's numbers: integers are exact, other results have 12 significant digits.
#pragma once

#include <optional>

#include "proposal/instruction.h"
#include "value/value.h"

namespace arbiter::engine::internal {

// Both operands must be numbers. Returns nothing for a division by zero and for a result beyond the
// range of doubles. Integers that overflow int64 are calculated as doubles.
std::optional<value::Value> calculate(const value::Value& left, proposal::Arithmetic operation,
                                      const value::Value& right);

}  // namespace arbiter::engine::internal
