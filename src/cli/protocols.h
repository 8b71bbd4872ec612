// The command protocol: lists, shows, checks, graphs and resolves protocols.
#pragma once

#include <span>

#include "cli/command.h"

namespace arbiter::cli {

std::span<const Command> protocol_commands();

}  // namespace arbiter::cli
