// The commands chat and lore: files of SillyTavern.
#pragma once

#include <span>

#include "cli/command.h"

namespace arbiter::cli {

std::span<const Command> chat_commands();

}  // namespace arbiter::cli
