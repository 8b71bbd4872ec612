// The commands json, get and diff, and functions shared by the commands on documents.
#pragma once

#include <expected>
#include <string>

#include "cli/command.h"
#include "value/diff.h"
#include "value/path.h"

namespace arbiter::cli {

// Reads and parses a file. On failure, reports the error and returns the exit code.
std::expected<value::Value, Exit> load_document(const Console& console, const std::string& file);

// Why there is no value at a path, and the nearest existing path.
struct MissingValue {
    base::Error error;
    std::string hint;  // empty: none
};
// `path` leads to nothing in `document`.
MissingValue explain_missing(const value::Value& document, const value::Path& path,
                             base::Language language);

// Prints a value as indented JSON.
void print_json(const Console& console, const value::Value& value);

// A value on one line, truncated if it is long.
std::string brief(const value::Value& value);

// One change on one line: "~ 角色.气血: 100 → 90".
std::string change_line(const Console& console, const value::Change& change);

Exit run_json(const Call& call);
Exit run_get(const Call& call);
Exit run_diff(const Call& call);

}  // namespace arbiter::cli
