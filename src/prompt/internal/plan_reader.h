// Reading of one plan from a config object (docs/prompt.md lists the keys).
#pragma once

#include "prompt/plan.h"

namespace arbiter::prompt::internal {

// Overwrites the members of `plan` that `written` names. Mistakes are added to `diagnostics`; the
// member keeps its value then.
void read_plan(const value::Value& written, value::Path path, Plan& plan,
               value::Diagnostics& diagnostics);

}  // namespace arbiter::prompt::internal
