// The command tour: demonstrates the features on a small campaign.
#pragma once

#include "cli/command.h"

namespace arbiter::cli {

Exit run_tour(const Call& call);

}  // namespace arbiter::cli
