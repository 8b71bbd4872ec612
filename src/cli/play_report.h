// The report of a turn that was withheld, and the player's choice about it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "campaign/session.h"
#include "cli/player_console.h"

namespace arbiter::cli {

// A turn that was reported and is not decided on yet.
struct ReportedTurn {
    turn::TurnResult result;
    std::string said;
};

void show_report(PlayerConsole& out, const turn::TurnResult& result,
                 const table::Redactor& redactor);

bool is_report_choice(std::string_view command) noexcept;  // /keep, /edit, /accept
base::Result<turn::TurnResult> choose(campaign::Session& session, const ReportedTurn& reported,
                                      std::string_view command, std::string_view rest,
                                      engine::Instant now);

}  // namespace arbiter::cli
