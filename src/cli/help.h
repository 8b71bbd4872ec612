// Help and shell completion, generated from the command table.
#pragma once

#include <string>
#include <string_view>

#include "cli/command.h"

namespace arbiter::cli {

std::string general_help(const Console& console);
std::string command_help(const Command& command, const Console& console);
// The completion script for "bash", "zsh" or "fish".
std::string completion_script(std::string_view shell);

}  // namespace arbiter::cli
