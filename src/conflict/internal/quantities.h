// Hit points and resources: gains, losses and values.
#pragma once

#include "conflict/internal/claims.h"

namespace arbiter::conflict::internal {

void find_quantities(const Context& at);

}  // namespace arbiter::conflict::internal
