// Macros: {{char}} and others in texts of authors (cards, lore, protocols). A macro is a name with
// text arguments, never code. Its result is not expanded again, except for fields of the card,
// which may name the character.
//
// One pass, innermost first, with limits on nesting, number and output (base/limits.h). Macros
// beyond the limits and unknown ones stay as written and are reported. Randomness depends only on
// the seeds and the position of the macro, so the order of expansion does not matter.
// docs/prompt.md lists the macros.
//
// Then the templates of the text (ejs/template.h) are rendered, in the order of SillyTavern. One
// that fails is reported; its text is that between the tags.
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
#include "ejs/template.h"
#include "prompt/block.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::prompt {

using Variables = std::map<std::string, std::string, std::less<>>;

// The values of macros. Views are borrowed for the call.
struct MacroWorld {
    std::string character;
    std::string user;
    std::string group;
    // Fields of the card by the lower-case name of their macro: persona, description,
    // personality, scenario, charprompt, charinstruction, mesexamples, charfirstmessage, original.
    Variables texts = {};
    Variables outlets = {};  // lore entries of named outlets
    Variables local = {};    // getvar
    Variables global = {};   // getglobalvar
    const value::Value* document = nullptr;
    std::span<const Message> history = {};
    std::string input = {};
    std::string model = {};
    std::string generation = "normal";
    std::int64_t swipe = 0;
    std::size_t context_tokens = 0;
    std::optional<std::int64_t> now = {};  // Unix time in milliseconds; none: no clock
    std::int32_t utc_minutes = 0;          // offset of the player's clock from UTC
    std::optional<std::int64_t> last_user_at = {};
    std::uint64_t seed = 0;       // of {{random}} and {{roll}}; differs per generation
    std::uint64_t pick_seed = 0;  // of {{pick}}; constant for a campaign
    base::Language language = base::Language::kChinese;
    // For templates: the content of a lore entry by book and title, names that define() made, and
    // the steps left.
    std::function<std::optional<std::string>(std::string_view book, std::string_view title)> entry =
        {};
    value::Object defined = {};
    ejs::Budget template_budget = {};
};

struct Expanded {
    std::string text;
    bool stable = true;                     // independent of randomness, time, state and history
    bool limited = false;                   // a limit was reached; the rest is unexpanded
    std::vector<std::string> unknown = {};  // unexpanded macros: the first few, each once
    std::vector<std::string> missing = {};  // document paths without a value
    std::optional<Why> failure = {};        // of its template: the text is not for a prompt
};

// `where` identifies the text (its block id) for randomness. Variables that the text sets stay in
// `world` for later texts.
Expanded expand_macros(std::string_view text, MacroWorld& world, std::string_view where);

}  // namespace arbiter::prompt
