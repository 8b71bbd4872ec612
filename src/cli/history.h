// The commands history, show, audit and blame.
#pragma once

#include "cli/command.h"

namespace arbiter::cli {

Exit run_history(const Call& call);
Exit run_show(const Call& call);
Exit run_audit(const Call& call);
Exit run_blame(const Call& call);

}  // namespace arbiter::cli
