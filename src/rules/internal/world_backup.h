// Backs up the worlds that the commands of a turn cleared.
#pragma once

#include "rules/internal/context.h"

namespace arbiter::rules::internal {

void back_up_worlds(ReactionContext& context);

}  // namespace arbiter::rules::internal
