// The briefing of a game master: role and principles, world and its rules, the goal, style, and the
// rules of the game that the settings choose. These texts stay the same from turn to turn; the
// scene (prompt/scene.h) changes. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/messages.h"
#include "table/settings.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::prompt {

// The role and the contract: the model proposes, the system decides.
std::string role_text(const value::Value& document, base::Language language);
// The same for a story without a table. {{char}} and {{user}} are macros.
std::string_view narrator_text(bool has_card, bool has_state, base::Language language) noexcept;

// Name, background and free members of the world, and its rules as a list, within about `room`
// bytes. Empty: there are none.
std::string world_text(const value::Value& document, base::Language language, std::size_t room);

// The goal with what the model must know about it; empty: there is none.
struct GoalText {
    std::string heading;
    std::string text;
};
GoalText goal_text(const value::Value& document, base::Language language);

// Language, person, length, and how a turn ends.
std::string_view style_text(base::Language language) noexcept;

// The settings rules.* with their values.
std::string settings_text(const table::SettingsRegistry& registry, const value::Object& settings,
                          base::Language language);

}  // namespace arbiter::prompt
