// The tools item_transfer and time_advance.
#pragma once

#include "table/tool.h"

namespace arbiter::table::internal {

Tool item_transfer_tool();
Tool time_advance_tool();

}  // namespace arbiter::table::internal
