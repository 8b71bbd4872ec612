// Life: death, downing, restraint, revival, and the dead who act.
#pragma once

#include "conflict/internal/claims.h"

namespace arbiter::conflict::internal {

void find_lives(const Context& at);

}  // namespace arbiter::conflict::internal
