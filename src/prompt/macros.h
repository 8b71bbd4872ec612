// Macros: {{char}} and its like in texts that authors wrote (cards, lore, protocols). Never code:
// a macro is a name and texts, and what it gives is not looked through for macros again, but for
// the texts of the card, which may name the character.
//
// Works in one pass, innermost first, with limits on nesting, number and output (base/limits.h);
// what is beyond them, and every macro that is not known, stays as it was written and is reported.
// Chance comes from the seeds and the place of the macro alone, so that the same inputs give the
// same bytes in whatever order texts are expanded. docs/prompt.md lists the macros.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/messages.h"
#include "prompt/block.h"
#include "value/value.h"

namespace arbiter::prompt {

using Variables = std::map<std::string, std::string, std::less<>>;

// What macros can name. Views are borrowed for the call.
struct MacroWorld {
    std::string character;
    std::string user;
    std::string group;
    // Texts of the card by the name of their macro in small letters: persona, description,
    // personality, scenario, charprompt, charinstruction, mesexamples, charfirstmessage, original.
    Variables texts = {};
    Variables outlets = {};  // lore that waits to be asked for, by name
    Variables local = {};    // getvar
    Variables global = {};   // getglobalvar
    const value::Value* document = nullptr;
    std::span<const Message> history = {};
    std::string input = {};
    std::string model = {};
    std::string generation = "normal";
    std::int64_t swipe = 0;
    std::size_t context_tokens = 0;
    std::optional<std::int64_t> now = {};  // milliseconds since 1970, UTC; none: no clock
    std::int32_t utc_minutes = 0;          // of the reader's clock before UTC
    std::optional<std::int64_t> last_user_at = {};
    std::uint64_t seed = 0;       // of {{random}} and {{roll}}: another for each generation
    std::uint64_t pick_seed = 0;  // of {{pick}}: one for a campaign
    base::Language language = base::Language::kChinese;
};

struct Expanded {
    std::string text;
    bool stable = true;    // nothing in it depends on chance, time, state or talk
    bool limited = false;  // a limit was reached: the rest is as it was written
    std::vector<std::string> unknown =
        {};  // macros that stay as they are: the first few, each once
    std::vector<std::string> missing = {};  // places of the document that are not there
};

// `where` names the text (the id of its block): part of what chance depends on. Variables that the
// text sets are kept in the world, for those that come after it.
Expanded expand_macros(std::string_view text, MacroWorld& world, std::string_view where);

}  // namespace arbiter::prompt
