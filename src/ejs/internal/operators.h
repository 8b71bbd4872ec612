// Operators on two values that are both evaluated.
#pragma once

#include "ejs/internal/datum.h"
#include "ejs/internal/syntax.h"

namespace arbiter::ejs::internal {

Datum operate(Machine& machine, Operator op, const Datum& left, const Datum& right);

}  // namespace arbiter::ejs::internal
