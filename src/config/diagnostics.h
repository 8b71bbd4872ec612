// FileDiagnostics: the mistakes of one file, for people.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "config/yaml.h"
#include "value/diagnostic.h"

namespace arbiter::config {

struct FileDiagnostics {
    std::string file;  // "arbiter" if the name itself is wrong
    std::string text;
    std::vector<base::Error> errors;  // with positions in `text`
};

// The result of checking files.
struct Lint {
    std::vector<FileDiagnostics> diagnostics;   // one for each file with mistakes
    std::vector<FileDiagnostics> remarks = {};  // advice about files that can be used
};

// The diagnostics of a parsed file, sorted by position.
FileDiagnostics diagnostics_of(const ParsedYaml& parsed, const value::Diagnostics& diagnostics);
// Errors without a position come first; errors at one position keep their order.
void sort_by_position(std::vector<base::Error>& errors);

}  // namespace arbiter::config
