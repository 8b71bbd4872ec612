// The commands of `arbiter play`: their forms and one line of help each.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/messages.h"

namespace arbiter::cli {

// All of them as a table, wrapped for a terminal (0: not wrapped).
std::string play_help(base::Language language, std::size_t columns);
// The form and help of one command, for a player who has used it wrongly.
std::string play_usage(std::string_view command, base::Language language);
// The command that was probably meant.
std::optional<std::string_view> nearest_command(std::string_view typed);
// The names, for completion.
std::vector<std::string> play_command_names();

}  // namespace arbiter::cli
