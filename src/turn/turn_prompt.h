// The prompt of a turn, made from everything that the turn uses.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "prompt/message.h"
#include "prompt/sources.h"
#include "turn/begun.h"
#include "turn/rules.h"

namespace arbiter::turn {

// Everything else that a turn uses. Borrowed: it must outlive the machine.
struct Environment {
    RulesCache& rules;
    const protocol::Library& library;
    rules::Memories* memories = nullptr;
    base::Language language = base::Language::kEnglish;
    // ---- for the prompt
    const card::Card* card = nullptr;  // nullptr: none
    // The card's regex scripts, for the history and for what is shown; nullptr: none.
    const card::Replacements* replacements = nullptr;
    prompt::Lore* lore = nullptr;                     // nullptr: none
    std::span<const prompt::LoreSource> books = {};   // of the lore
    prompt::Cache* prompt_cache = nullptr;            // only saves work; nullptr: none
    std::vector<prompt::Message>* history = nullptr;  // oldest first; nullptr: none
    std::size_t context_tokens = prompt::kContextTokens;
    // The model takes tool schemas beside the messages. Otherwise the prompt describes the tools.
    bool native_tools = false;
    value::Object more_settings = {};  // over those of the campaign, for this prompt only
};

// The texts that are added to the messages of a client; the words of the setting chat.inject.
enum class Injection : std::uint8_t { kFull, kState, kOff };
std::optional<Injection> find_injection(std::string_view word) noexcept;

// A chat that a client keeps. The model is sent its messages in place of our card, lore and
// history: protocols and tools follow its leading system messages, the state is before the last
// message of the player.
struct ClientChat {
    std::vector<prompt::Message> messages;
    std::optional<Injection> injection = {};  // empty: the setting chat.inject
};

// The prompt of a turn that has begun: what `arbiter prompt` shows is what a model is asked.
struct TurnPrompt {
    prompt::Assembly assembly;
    std::vector<table::ToolSchema> tools;                // sent beside the messages; empty: none
    base::Language language = base::Language::kEnglish;  // of our texts in it
};
TurnPrompt build_prompt(const Begun& begun, std::string_view said, const Environment& environment);
TurnPrompt build_prompt(const Begun& begun, std::string_view said, const Environment& environment,
                        ClientChat chat);
// Appends the player's wish for this reply, such as "shorter", as the last message. Empty: none.
void append_hint(TurnPrompt& prompt, std::string_view hint);

}  // namespace arbiter::turn
