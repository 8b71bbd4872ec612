// The sheet: name, race, job, title, attributes and skills that change.
#pragma once

#include "conflict/internal/claims.h"

namespace arbiter::conflict::internal {

void find_sheets(const Context& at);

}  // namespace arbiter::conflict::internal
