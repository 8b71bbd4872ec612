// The output of the commands that check files: `protocol lint`, `tools lint`, `table lint` and
// `card lint`.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "config/diagnostics.h"

namespace arbiter::cli {

// Prints the mistakes, or all of it as JSON with --json. Returns kTrouble if one of the named files
// cannot be read, kNo if there are mistakes.
Exit report_lint(const Call& call, const config::Lint& lint, const std::vector<std::string>& names);

}  // namespace arbiter::cli
