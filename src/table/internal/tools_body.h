// The tools move and hp_delta: a character's position and hit points.
#pragma once

#include "table/tool.h"

namespace arbiter::table::internal {

Tool move_tool();
Tool hp_delta_tool();

}  // namespace arbiter::table::internal
