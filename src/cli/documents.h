// What commands over documents share.
#pragma once

#include <string>

#include "cli/console.h"
#include "value/diff.h"

namespace arbiter::cli {

// One change on one line: "~ 角色.气血: 100 → 90".
std::string change_line(const Console& console, const value::Change& change);

}  // namespace arbiter::cli
