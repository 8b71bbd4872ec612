// Block: one piece of a prompt, with its place, its price and the reason why it is there.
//
// Plain data. Whoever has something to say to the model (the card, a protocol, the table, the
// rules) hands it in as a Block; assemble() adds what it makes itself from the state, the memories,
// the lore and the history.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "prompt/message.h"
#include "prompt/reason.h"
#include "protocol/target.h"

namespace arbiter::prompt {

using protocol::find_target;
using protocol::Target;

// What a block is about: plans choose by it, budgets and the order of sacrifice go by it.
enum class Kind : std::uint8_t {
    kRules,      // what the game and the teller are
    kProtocol,   // how the model is to write
    kCharacter,  // the card's descriptions
    kPersona,    // of the player
    kExamples,
    kLore,         // entries that a key woke
    kConstant,     // entries that are always there
    kLongMemory,   // long memories
    kShortMemory,  // short memories
    kFacts,
    kPins,
    kState,
    kPowerLevel,  // what the level of a world means
    kHistory,
    kSummaryRequest,  // asks for a summary
    kPacing,          // asks for pace
    kFeedback,        // what was wrong with the last attempt
    kOther,
    kCount
};

struct Block {
    std::string id;
    Kind kind = Kind::kOther;
    Target target = Target::kSystemEnd;
    std::size_t depth = 0;  // of Target::kDepth
    Role role = Role::kSystem;
    std::int64_t priority = 100;  // higher is later, and stays longer
    std::size_t budget = 0;       // tokens that it may have; 0: no limit of its own
    std::string source;           // the file, book or place that it comes from
    Why why;
    std::string text;
    std::size_t tokens = 0;  // of its text, if somebody has counted
    bool cacheable = true;   // the same next turn, unless its source changes
    bool macros = false;     // {{…}} in it are expanded; only for what authors wrote
};

std::string_view name(Kind kind) noexcept;  // "lore", …
std::optional<Kind> find_kind(std::string_view word) noexcept;

// The order of ids: runs of digits count as numbers, so that 9 comes before 10.
bool is_before(std::string_view a, std::string_view b) noexcept;

}  // namespace arbiter::prompt
