// The commands that store a turn, name it, and go to another branch.
#pragma once

#include "cli/command.h"

namespace arbiter::cli {

Exit run_turn(const Call& call);
Exit run_checkpoint(const Call& call);
Exit run_branch(const Call& call);

}  // namespace arbiter::cli
