// Life: what follows by itself from hit points, and when a campaign is over.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "proposal/instruction.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::table {

// The flag of somebody without hit points who plays on.
inline constexpr std::string_view kAtZero = "at_zero";

// The status that a character has with so many hit points; nothing if it stays as it is. With
// rules.hp_zero_ends_game, zero means downed; without, a flag. Above zero whoever was downed lives.
std::optional<value::Value> status_with(const value::Value& character, std::int64_t hp,
                                        const value::Object& settings);

// What is still to be set right after a step, on the characters that it changed: hit points
// within their range, the status that follows from them, and whether the campaign has ended.
std::vector<proposal::Instruction> consequences(const value::Value& before,
                                                const value::Value& after,
                                                const value::Object& settings);

// Why the campaign is over, if it is by the state of its party: party_down, party_dead,
// party_restrained.
std::optional<std::string_view> end_of(const value::Value& document, const value::Object& settings);

// Why no turn can begin now: the campaign has ended, or its active actor cannot act while somebody
// else of the party can (the player must switch).
struct Block {
    std::string reason;  // campaign_ended, actor_cannot_act, no_active_actor
    base::Text text;
};
std::optional<Block> turn_block(const value::Value& document);

}  // namespace arbiter::table
