// The commands that check files: `lint` of card, profiles, protocol, rules, table and tools. All
// take files, folders and "-" (standard input), and print the same report.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "cli/command.h"
#include "config/source_files.h"

namespace arbiter::cli {

struct LintedFiles {
    std::size_t bytes_max;                                                   // of one file
    std::span<const std::string_view> extensions = config::kYamlExtensions;  // in folders
};
using LintCheck = std::function<config::Lint(std::span<const config::SourceText>)>;

// Checks the files that the arguments behind the action name. Prints the mistakes, or all of it as
// JSON with --json. Returns kTrouble if a file is missing or cannot be read, kNo if there are
// mistakes.
Exit lint_files(const Call& call, LintedFiles files, const LintCheck& check);

}  // namespace arbiter::cli
