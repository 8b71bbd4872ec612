// Places: who has arrived in, is in, or has left an area.
#pragma once

#include "conflict/internal/claims.h"

namespace arbiter::conflict::internal {

void find_places(const Context& at);

}  // namespace arbiter::conflict::internal
