// The command new: makes a folder with the files that an author begins from.
#pragma once

#include <span>

#include "cli/command.h"

namespace arbiter::cli {

std::span<const Command> project_commands();

}  // namespace arbiter::cli
