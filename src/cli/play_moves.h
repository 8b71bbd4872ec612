// The commands of `arbiter play` that move the head of a campaign or name it, each with a sentence
// that confirms it; and the current scene.
#pragma once

#include <string_view>

#include "campaign/session.h"
#include "cli/player_console.h"

namespace arbiter::cli {

void show_error(PlayerConsole& out, campaign::Session& session, const base::Error& error);
// [3] Ali  HP 10/12  @ Old Dock
void show_status(PlayerConsole& out, campaign::Session& session);

// /rollback or /branch.
void move_to(PlayerConsole& out, campaign::Session& session, std::string_view command,
             std::string_view turn);
void undo_move(PlayerConsole& out, campaign::Session& session);
void name_turn(PlayerConsole& out, campaign::Session& session, std::string_view label,
               engine::Instant now);
void list_checkpoints(PlayerConsole& out, campaign::Session& session);

}  // namespace arbiter::cli
