// The world: rules declared or abolished, areas and paths made or unmade.
#pragma once

#include "conflict/internal/claims.h"

namespace arbiter::conflict::internal {

void find_worlds(const Context& at);

}  // namespace arbiter::conflict::internal
