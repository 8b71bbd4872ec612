// The command token: access tokens of the server.
#pragma once

#include <span>

#include "cli/command.h"

namespace arbiter::cli {

std::span<const Command> token_commands();

}  // namespace arbiter::cli
