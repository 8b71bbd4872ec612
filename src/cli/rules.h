// The command rules: checks and explains rulebooks, and creates saves from them.
#pragma once

#include "cli/command.h"

namespace arbiter::cli {

Exit run_rules(const Call& call);

}  // namespace arbiter::cli
