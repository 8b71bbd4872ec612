// The tool roll: dice rolled with the injected generator.
#pragma once

#include "table/tool.h"

namespace arbiter::table::internal {

// The sum of a throw such as 2d6+3; nullopt if the text is not one.
std::optional<value::Value> throw_dice(std::string_view dice, Random& random);

Tool roll_tool();

}  // namespace arbiter::table::internal
