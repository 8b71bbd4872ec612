// assemble(): blocks → messages within a token budget, with the reason for every block that is
// included and for every one that is not.
//
// Pure: the same inputs give the same bytes, independent of the order of pieces, books and
// variables. Blocks are ordered by target, then priority (higher is later), order and id. Stable
// blocks come first; volatile ones (state, activated lore, short memories) come after the history.
// So the prefix of one prompt is a prefix of the next one until one of its sources changes.
//
// Over budget, blocks are dropped in this order (Plan::ranks); within a kind those of the lowest
// priority first, of memories and messages the oldest:
//
//   1 activated lore below 50   2 older messages   3 examples   4 activated lore
//   5 short memories   6 long memories   7 constant lore   8 facts, state
//   9 recent messages except the newest
//
// Rules, protocols, the character, pins, requests, feedback and the newest message are never
// dropped.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/text.h"
#include "prompt/block.h"
#include "prompt/cache.h"
#include "prompt/lore.h"
#include "prompt/macros.h"
#include "prompt/plan.h"
#include "text/tokens.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::prompt {

struct AssemblyInputs {
    const value::Value& document;
    const Plan& plan;
    Context context = Context::kFull;
    std::vector<Block> pieces = {};         // of the card, the protocols, the table …
    std::span<const Message> history = {};  // oldest first; the newest is usually the player's
    Lore* lore = nullptr;                   // must follow its books already
    MacroWorld world = {};                  // document and history are filled in
    text::TokenCounter count = {};
    std::size_t uncovered_turns = 0;  // newest turns that no summary covers: not compressed away
    value::Object block_limits = {};  // id or kind of a block → most characters of its text
    Cache* cache = nullptr;           // of the campaign; nullptr: none
    std::vector<Why> notices = {};    // passed on
    bool lists_silent = false;        // list inactive lore too
};

// An included block that is not of the history. Its text is part of a message.
struct Placed {
    Block block;                  // without its text
    std::size_t tokens = 0;       // of its text
    std::vector<Why> notes = {};  // changes made to it
    std::size_t message = 0;
    std::size_t offset = 0;  // in the content
    std::size_t size = 0;
};

// An included message of the history: a whole message of the prompt, or a part of one where
// neighbours of the same role are joined.
struct PlacedMessage {
    std::size_t number = 0;  // in the history; of Reason::kStart: 0
    Reason why = Reason::kHistory;
    Role role = Role::kUser;
    std::size_t tokens = 0;
    std::size_t message = 0;
    std::size_t offset = 0;  // in the content
    std::size_t size = 0;
};

struct Omitted {
    std::string id;
    Kind kind;
    std::string source;
    std::size_t tokens = 0;  // 0: not counted
    Why why;
};

struct Assembly {
    std::vector<Message> messages;
    std::vector<Placed> blocks;       // in the order of the prompt; without the history
    std::vector<PlacedMessage> said;  // in the order of the prompt
    std::vector<Omitted> omitted;     // by id
    std::string plan;
    Context context = Context::kFull;
    std::size_t tokens = 0;          // of everything that is sent, with an allowance per message
    std::size_t heading_tokens = 0;  // of these, headings and line ends between blocks
    std::size_t tool_tokens = 0;     // of these, schemas sent beside the messages
    std::size_t room = 0;            // tokens available; 0: no limit
    std::size_t bytes = 0;           // of all contents
    // The prefix that stays the same next turn: bytes of contents, and whole messages in it.
    std::size_t cacheable_bytes = 0;
    std::size_t cacheable_messages = 0;
    std::size_t silent_lore = 0;
    std::vector<std::string> unknown_macros;
    std::vector<Why> notices;
    std::vector<base::Text> remarks = {};  // about the protocols: switched, unknown, giving way
    Variables variables = {};              // local ones, after all macros
    Variables global_variables = {};
};

Assembly assemble(AssemblyInputs inputs);

}  // namespace arbiter::prompt
