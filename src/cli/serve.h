// The command serve: the API over HTTP.
#pragma once

#include <span>

#include "cli/command.h"

namespace arbiter::cli {

std::span<const Command> serve_commands();

}  // namespace arbiter::cli
