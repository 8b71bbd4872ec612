// The changes of a player beside speaking, as words: /actor ann in `arbiter play`, and
// `arbiter campaign actor ann` outside it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "campaign/session.h"

namespace arbiter::cli {

// actor, join, leave, type, allow, deny, disable, enable, goal, end.
bool is_player_action(std::string_view action) noexcept;
// The actions, as a list for messages.
std::string player_actions();

struct PlayerAction {
    std::string_view action;
    std::span<const std::string> words;
    engine::Instant now = 0;
    bool is_hidden = false;         // of a goal
    model::Model* model = nullptr;  // needed for `goal generate`
};
// Carries out an action. Returns the sentence that confirms it.
base::Result<std::string> do_player_action(campaign::Session& session, const PlayerAction& what,
                                           base::Language language);

}  // namespace arbiter::cli
