// Prints the steps of a check, for the commands connect and doctor.
#pragma once

#include <span>

#include "cli/console.h"
#include "openai/check_step.h"

namespace arbiter::cli {

// One line a step, and the advice below it.
void print_steps(const Console& console, std::span<const openai::CheckStep> steps);

}  // namespace arbiter::cli
