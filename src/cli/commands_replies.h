// The rows of the command table about replies: parse, apply, profiles, convert, restore, teach.
#pragma once

#include <span>

#include "cli/command.h"

namespace arbiter::cli {

std::span<const Command> reply_commands();

}  // namespace arbiter::cli
