// Rows of the command table about conflicts.
#pragma once

#include <span>

#include "cli/command.h"

namespace arbiter::cli {

std::span<const Command> conflict_commands();

}  // namespace arbiter::cli
