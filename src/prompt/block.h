// Block: one piece of a prompt, with its position, its cost and the reason for it.
//
// Plain data. Sources (sources.h) hand in the blocks of the card, the protocols and the table;
// assemble() adds those of the state, the memories, the lore and the history.
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

// Subject of a block. Plans select blocks by kind; budgets and the order of dropping go by it.
enum class Kind : std::uint8_t {
    kRules,      // of the game and of the narrator
    kProtocol,   // instructions for the output
    kLesson,     // how commands are written
    kCharacter,  // the card's descriptions
    kPersona,    // description of the player
    kExamples,
    kLore,         // entries activated by a key
    kConstant,     // entries that are always active
    kLongMemory,   // long memories
    kShortMemory,  // short memories
    kFacts,
    kPins,
    kState,
    kPowerLevel,  // meaning of the world's level
    kHistory,
    kSummaryRequest,  // asks the model to summarise memories
    kPacing,          // asks for a faster pace
    kFeedback,        // about the turn before
    // ---- of the table
    kWorld,     // the world and its rules
    kGoal,      // what the story moves toward
    kTools,     // how changes are proposed
    kSettings,  // rules of the game that the settings choose
    kParty,     // the players' characters
    kScene,     // the place, its exits, who and what is there
    kDialog,    // who acts, and what the dialog type asks for
    kOther,
    kCount
};

struct Block {
    std::string id;
    Kind kind = Kind::kOther;
    Target target = Target::kSystemEnd;
    std::size_t depth = 0;  // of Target::kDepth
    Role role = Role::kSystem;
    std::int64_t priority = 100;  // higher is later in the prompt and is dropped later
    std::size_t order = 0;        // among blocks of one target and priority
    std::size_t budget = 0;       // maximum of tokens; 0: none of its own
    std::string source;           // file, book or document path
    Why why;
    // Written above the text, unless the block before it in the message has the same one. Empty:
    // that of its kind.
    std::string heading;
    std::string text;
    std::size_t tokens = 0;  // of its text; 0: not counted
    bool cacheable = true;   // stays the same until its source changes
    bool macros = false;     // expand {{…}}; only for authors' texts
};

std::string_view name(Kind kind) noexcept;  // "lore", …
std::optional<Kind> find_kind(std::string_view word) noexcept;

// Order of ids. Runs of digits compare as numbers: 9 is before 10.
bool is_before(std::string_view a, std::string_view b) noexcept;

}  // namespace arbiter::prompt
