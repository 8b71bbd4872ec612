// Life: automatic consequences of hit points, and the conditions that end a campaign. Pure
// functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "proposal/instruction.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::table {

// Flag of a character that stays in play with zero hit points.
inline constexpr std::string_view kAtZero = "at_zero";

// The new status of a character with `hp` hit points; nullopt if the status does not change. At
// zero, the character is downed if rules.hp_zero_ends_game is on, else flagged with kAtZero. Above
// zero, a downed character becomes alive.
std::optional<value::Value> status_with(const value::Value& character, std::int64_t hp,
                                        const value::Object& settings);

// Returns the corrections after a step, for the characters that it changed: hit points clamped to
// their range, the resulting status, and the end of the campaign.
std::vector<proposal::Instruction> consequences(const value::Value& before,
                                                const value::Value& after,
                                                const value::Object& settings);

// The reason why the state of the party ends the campaign, if it does: party_down, party_dead,
// party_restrained.
std::optional<std::string_view> end_of(const value::Value& document, const value::Object& settings);

// The state of a character in words: downed, dead …; an unknown one as it is.
base::Text state_words(std::string_view state);
// A reason for the end in words: party_down, goal_achieved …; an unknown one as it is.
base::Text end_words(std::string_view reason);

// The reason why no turn can begin: the campaign has ended, or the active actor cannot act while
// another party member can (the player must switch).
struct Block {
    std::string reason;  // campaign_ended, actor_cannot_act, no_active_actor
    base::Text text;
};
std::optional<Block> turn_block(const value::Value& document);

}  // namespace arbiter::table
