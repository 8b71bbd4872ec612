// The command restore: lists the recycle bin of a document and restores entries.
#pragma once

#include "cli/command.h"

namespace arbiter::cli {

Exit run_restore(const Call& call);

}  // namespace arbiter::cli
