// Company: a character who is said to be beside another one is where that one is.
#pragma once

#include "conflict/internal/claims.h"

namespace arbiter::conflict::internal {

void find_company(const Context& at);

}  // namespace arbiter::conflict::internal
