// The command connect: sets up, tests and shows the model that an installation uses.
#pragma once

#include <span>

#include "cli/command.h"

namespace arbiter::cli {

std::span<const Command> connect_commands();

}  // namespace arbiter::cli
