// The command apply: applies a model's reply to a state and prints a verdict for each command.
#pragma once

#include "cli/command.h"

namespace arbiter::cli {

Exit run_apply(const Call& call);

}  // namespace arbiter::cli
