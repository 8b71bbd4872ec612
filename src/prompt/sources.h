// Sources: the parts of a campaign that the model sees, each within its share of the context
// window, and the prompt made of them.
//
//   card, protocols, tools, goal, world and characters ─▶ blocks ─▶ assemble() ─▶ messages
//
// Pure, except that `lore` and `cache` remember earlier turns; neither changes the result.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "card/card.h"
#include "engine/engine.h"
#include "engine/policy.h"
#include "prompt/assemble.h"
#include "protocol/library.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::prompt {

// Context window of a model whose size is not configured; most models have more.
inline constexpr std::size_t kContextTokens = 32'768;

struct PromptInputs {
    const value::Value& document;
    const value::Object& settings;  // effective ones; dialog type and context mode count here
    const protocol::Resolved& protocols;
    const engine::State* state = nullptr;   // whose document it is; nullptr: it keeps no summary
    std::string_view tools = {};            // text about the advertised tools; empty: none
    const card::Card* card = nullptr;       // nullptr: none
    std::span<const Message> history = {};  // oldest first, the player's new message last
    std::string_view feedback = {};         // about the turn before; empty: none
    Lore* lore = nullptr;                   // must follow its books already; nullptr: none
    // The caller sets `now`, `seed` and `input`. `character` and `user` default to the names of the
    // card and of the active character.
    MacroWorld world = {};
    std::size_t context_tokens = kContextTokens;  // 0: no limit; a plan's own limit wins
    base::Language language = base::Language::kChinese;
    Cache* cache = nullptr;  // of the campaign; nullptr: none
};
Assembly build_prompt(const PromptInputs& inputs);

// Appends the messages of one committed turn to a history: the player's input and the text that
// was shown for the reply. Empty texts add nothing.
void append_turn(std::vector<Message>& history, engine::Actor actor, std::string_view said,
                 std::string_view shown);

}  // namespace arbiter::prompt
