// The command `arbiter play`: chooses the campaign and its narrator, and plays.
#pragma once

#include "cli/command.h"

namespace arbiter::cli {

Exit run_play(const Call& call);

}  // namespace arbiter::cli
