// Command table for saved campaigns.
#pragma once

#include <span>

#include "cli/command.h"

namespace arbiter::cli {

std::span<const Command> ledger_commands();

}  // namespace arbiter::cli
