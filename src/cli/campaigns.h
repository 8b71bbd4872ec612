// The commands campaign, rollback, undo, revert and world on saved campaigns.
#pragma once

#include "cli/command.h"

namespace arbiter::cli {

Exit run_campaign(const Call& call);
Exit run_rollback(const Call& call);
Exit run_revert(const Call& call);
Exit run_undo(const Call& call);
Exit run_world(const Call& call);

}  // namespace arbiter::cli
