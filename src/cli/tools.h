// The command tools, and functions shared by the commands with tools of data.
#pragma once

#include <expected>
#include <span>
#include <vector>

#include "cli/command.h"
#include "config/tools.h"

namespace arbiter::cli {

// The tools that --tools names: a file or a folder. On failure, all mistakes are reported.
std::expected<std::vector<config::NamedText>, Exit> tools_of(const Call& call);

// The rows of the command table about tools.
std::span<const Command> tool_commands();

}  // namespace arbiter::cli
