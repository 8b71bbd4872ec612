// All commands of `arbiter`, and main().
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/command.h"

namespace arbiter::cli {

// All commands, in help order.
std::span<const Command> commands();
const Command* find_command(std::string_view name);

// Implements main(). `words` excludes the program name. Returns the exit code.
int run(std::span<const std::string> words, Console console);

}  // namespace arbiter::cli
