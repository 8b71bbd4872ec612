// The evaluation of a compiled formula.
#pragma once

#include <vector>

#include "expr/formula.h"

namespace arbiter::expr::internal {

// The value of the last node. Unknown beyond base::kFormulaStepsMax steps.
Known run_formula(const std::vector<Formula::Node>& nodes, const Scope& scope);

}  // namespace arbiter::expr::internal
