// The built-in tools: move, hp_delta, map_generate, character_generate, item_transfer, roll,
// time_advance, summarize.
#pragma once

#include "table/tool.h"

namespace arbiter::table {

ToolRegistry shipped_tools();

}  // namespace arbiter::table
