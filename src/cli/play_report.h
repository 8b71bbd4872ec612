// The report of a turn that was withheld (campaign/withheld_turn.h), for the terminal.
#pragma once

#include <optional>
#include <string_view>

#include "cli/player_console.h"
#include "turn/report_choice.h"

namespace arbiter::cli {

void show_report(PlayerConsole& out, const turn::TurnResult& result,
                 const table::Redactor& redactor);

// Of /keep, /edit and /accept.
std::optional<turn::ReportChoice> report_choice_of(std::string_view command) noexcept;

}  // namespace arbiter::cli
