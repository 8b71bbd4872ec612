// The command doctor: checks an installation and says what to do about each problem.
#pragma once

#include <span>

#include "cli/command.h"

namespace arbiter::cli {

std::span<const Command> doctor_commands();

}  // namespace arbiter::cli
