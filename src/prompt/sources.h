// Sources: the parts of a campaign that the model sees, each within its share of the context
// window, and the prompt made of them.
//
//   card, protocols, tools, the game master's briefing, party and scene ─▶ blocks ─▶ assemble() ─▶
//   messages
//
// Pure, except that `lore` and `cache` remember earlier turns; neither changes the result.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "card/card.h"
#include "card/regex_script.h"
#include "engine/engine.h"
#include "engine/policy.h"
#include "prompt/assemble.h"
#include "protocol/lesson.h"
#include "protocol/library.h"
#include "table/dialog.h"
#include "table/tool.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::prompt {

// Context window of a model whose size is not configured; most models have more.
inline constexpr std::size_t kContextTokens = 32'768;

struct PromptInputs {
    const value::Value& document;
    const value::Object& settings;  // effective ones; dialog type and context mode count here
    const protocol::Resolved& protocols;
    const engine::State* state = nullptr;  // whose document it is; nullptr: it keeps no summary
    std::span<const protocol::Lesson> lessons = {};  // of the dialects that the campaign teaches
    // The tools that the model may call: as text, or sent beside the messages. Never both.
    std::string_view tools = {};
    std::span<const table::ToolSchema> native_tools = {};
    const table::DialogType* dialog = nullptr;         // nullptr: the one that the settings name
    const Plan* plan = nullptr;                        // of the dialog; nullptr: it is read
    std::span<const StateRoot> roots = {};             // below which commands write relative paths
    const card::Card* card = nullptr;                  // nullptr: none
    const card::Replacements* replacements = nullptr;  // of the history; nullptr: none
    std::span<const Message> history = {};    // oldest first, the player's new message last
    std::string_view feedback = {};           // about the turn before; empty: none
    std::vector<base::Text> remarks = {};     // about the protocols, passed on to the assembly
    Lore* lore = nullptr;                     // nullptr: none
    std::span<const LoreSource> books = {};   // which it is to follow
    bool plays_mvu = false;                   // the profile is one of MVU
    std::optional<engine::Instant> now = {};  // of macros; none: no clock
    std::uint64_t seed = 0;                   // of {{random}} and {{roll}}
    std::string_view input = {};              // what the player says
    text::TokenCounter count = {};
    std::size_t context_tokens = kContextTokens;  // 0: no limit; a plan's own limit wins
    base::Language language = base::Language::kChinese;
    Cache* cache = nullptr;   // of the campaign; nullptr: none
    bool has_client = false;  // a client says who the model is
};
Assembly build_prompt(const PromptInputs& inputs);

// Tokens that native tools cost beside the messages, and those of the frame of each.
inline constexpr std::size_t kToolFrameTokens = 4;
std::size_t tokens_of(std::span<const table::ToolSchema> tools,
                      const text::TokenCounter& count = {});

// Appends the messages of one committed turn to a history: the player's input and the text that
// was shown for the reply. Empty texts add nothing.
void append_turn(std::vector<Message>& history, engine::Actor actor, std::string_view said,
                 std::string_view shown);

}  // namespace arbiter::prompt
