// Macros for date and time: of MacroWorld::now, in the player's time zone.
#pragma once

#include <span>

#include "prompt/internal/macro_table.h"

namespace arbiter::prompt::internal {

std::span<const MacroRow> time_rows();

}  // namespace arbiter::prompt::internal
