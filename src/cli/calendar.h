// The command calendar: parses story dates and computes with them.
#pragma once

#include "cli/command.h"

namespace arbiter::cli {

Exit run_calendar(const Call& call);

}  // namespace arbiter::cli
