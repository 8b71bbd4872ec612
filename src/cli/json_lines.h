// JSON values, one a line: on standard input, and as answers.
#pragma once

#include <functional>
#include <string>

#include "cli/console.h"
#include "value/object.h"

namespace arbiter::cli {

// Calls `take` with each value, or with the error of a line that is not JSON. Blank lines are
// passed over. Returns false, after a message, if the input cannot be read.
bool read_json_lines(const Console& console,
                     const std::function<void(const base::Result<value::Value>&)>& take);

// One line of JSON.
std::string json_line(const value::Object& object);

}  // namespace arbiter::cli
