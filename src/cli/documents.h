// Functions shared by the commands on documents.
#pragma once

#include <expected>
#include <string>

#include "cli/command.h"
#include "value/diff.h"

namespace arbiter::cli {

// Reads and parses a file. On failure, reports the error and returns the exit code.
std::expected<value::Value, Exit> load_document(const Console& console, const std::string& file);

// Prints a value as indented JSON.
void print_json(const Console& console, const value::Value& value);

// A value on one line, truncated if it is long.
std::string brief(const value::Value& value);

// One change on one line: "~ 角色.气血: 100 → 90".
std::string change_line(const Console& console, const value::Change& change);

}  // namespace arbiter::cli
