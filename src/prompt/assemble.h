// assemble(): everything that there is to say → the messages of a prompt, within its budget, with
// the reason for every piece that is in it and for every one that is not.
//
// Pure: the same inputs give the same bytes, in whatever order pieces, books and variables come.
// Blocks stand in the order of their target, then of their priority (higher is later), then of
// their id. What stays the same from turn to turn stands first, what changes (state, lore that a
// key woke, short memories) behind the history; so the prefix of one prompt is the beginning of
// the next, unless something that it was made from has changed.
//
// When there is no room, blocks go in this order (Plan::ranks), of one kind those of the lowest
// priority first, of memories and messages the oldest:
//
//   1 woken lore below 50   2 older messages   3 examples   4 woken lore   5 short memories
//   6 long memories   7 constant lore   8 facts, state   9 recent messages but for the newest
//
// Rules, protocols, the character, pins, requests, feedback and the newest message never go.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "prompt/block.h"
#include "prompt/lore.h"
#include "prompt/macros.h"
#include "prompt/plan.h"
#include "text/tokens.h"
#include "value/value.h"

namespace arbiter::prompt {

struct AssemblyInputs {
    const value::Value& document;
    const Plan& plan;
    Context context = Context::kFull;
    std::span<const Block> pieces = {};     // of the card, the protocols, the table …
    std::span<const Message> history = {};  // oldest first; the newest is usually the player's
    Lore* lore = nullptr;                   // which follows its books already
    MacroWorld world = {};                  // its document and history are filled in
    text::TokenCounter count = {};
    std::vector<Why> notices = {};  // of choose(), handed on
    bool lists_silent = false;      // lore that nothing spoke of is listed too
};

// A block that is in. Its text is in a message: text_of().
struct Placed {
    Block block;                  // without its text
    std::size_t tokens = 0;       // of its text
    std::vector<Why> notes = {};  // what was done to it
    std::size_t message = 0;
    std::size_t offset = 0;  // in the content
    std::size_t size = 0;
};

struct Omitted {
    std::string id;
    Kind kind;
    std::string source;
    std::size_t tokens = 0;  // 0 where nobody counted
    Why why;
};

struct Assembly {
    std::vector<Message> messages;
    std::vector<Placed> blocks;    // in the order of the prompt
    std::vector<Omitted> omitted;  // by id
    std::string plan;
    Context context = Context::kFull;
    std::size_t tokens = 0;  // with a few for each message
    std::size_t room = 0;    // tokens that there was room for; 0: no limit
    std::size_t bytes = 0;   // of all contents
    // The beginning that will be the same next turn: bytes of contents, and messages that lie in
    // it as a whole.
    std::size_t cacheable_bytes = 0;
    std::size_t cacheable_messages = 0;
    std::size_t silent_lore = 0;
    std::vector<std::string> unknown_macros;
    std::vector<Why> notices;
    Variables variables = {};  // local ones, as the texts left them
    Variables global_variables = {};
};

Assembly assemble(const AssemblyInputs& inputs);

std::string_view text_of(const Assembly& assembly, const Placed& placed);

}  // namespace arbiter::prompt
