// What commands over documents share.
#pragma once

#include <expected>
#include <string>

#include "cli/command.h"
#include "value/diff.h"

namespace arbiter::cli {

// Reads and parses a file; complains and gives the exit code when that fails.
std::expected<value::Value, Exit> load_document(const Console& console, const std::string& file);

// A value on one line, cut when it is long.
std::string brief(const value::Value& value);

// One change on one line: "~ 角色.气血: 100 → 90".
std::string change_line(const Console& console, const value::Change& change);

}  // namespace arbiter::cli
