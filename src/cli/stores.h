// The commands migrate, thin and backup: store maintenance.
#pragma once

#include "cli/command.h"

namespace arbiter::cli {

Exit run_migrate(const Call& call);
Exit run_backup(const Call& call);
Exit run_thin(const Call& call);

}  // namespace arbiter::cli
