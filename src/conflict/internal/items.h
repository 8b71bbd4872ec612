// Inventory: items and money gained, lost or counted.
#pragma once

#include "conflict/internal/claims.h"

namespace arbiter::conflict::internal {

void find_items(const Context& at);

}  // namespace arbiter::conflict::internal
