// The tools map_generate and character_generate: random maps and characters.
#pragma once

#include "table/tool.h"

namespace arbiter::table::internal {

Tool map_generate_tool();
Tool character_generate_tool();

}  // namespace arbiter::table::internal
