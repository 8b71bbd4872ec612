// The command prompt: shows the prompt of the next turn.
#pragma once

#include "cli/command.h"

namespace arbiter::cli {

Exit run_prompt(const Call& call);

}  // namespace arbiter::cli
