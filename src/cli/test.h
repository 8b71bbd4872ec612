// The command test: runs transcripts and compares the results with the expectations.
#pragma once

#include "cli/command.h"

namespace arbiter::cli {

Exit run_test(const Call& call);

}  // namespace arbiter::cli
