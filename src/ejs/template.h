// Templates of cards: EJS tags with a subset of JavaScript, rendered on a document.
//
// An interpreter of our own, never a JavaScript engine: there are no prototypes and no objects of a
// host, nothing is written, and steps, bytes and nesting are limited (base/limits.h). The same
// inputs give the same text. docs/templates.md describes the subset.
//
//   auto text = render("好感<%= getvar('stat_data.理.好感度[0]') %>", {.document = &document});
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "ejs/failure.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::ejs {

struct ChatMessage {
    enum class Role : std::uint8_t { kSystem, kUser, kAssistant };
    Role role = Role::kUser;
    std::string_view text;
};

// Steps that all templates of one prompt share.
struct Budget {
    std::uint64_t steps = base::kTemplateStepsTotalMax;
};

// Everything that a template can read. Borrowed for the call; every member is optional.
struct Environment {
    const value::Value* document = nullptr;  // variables, getvar
    std::string_view character = {};
    std::string_view user = {};
    std::string_view model = {};
    std::string_view generation = "normal";
    std::size_t message_count = 0;
    std::function<ChatMessage(std::size_t index)> message = {};  // 0 is the oldest
    // A variable that macros have set ({{setvar}}).
    std::function<std::optional<std::string>(std::string_view name)> variable = {};
    // The text of a lore entry by its title or id, with macros expanded. `book` may be empty.
    std::function<std::optional<std::string>(std::string_view book, std::string_view title)> entry =
        {};
    value::Object* defined = nullptr;  // names that define() gives to later templates
    Budget* budget = nullptr;
};

// Whether a text is a template at all.
bool has_tags(std::string_view text) noexcept;

std::expected<std::string, Failure> render(std::string_view text, const Environment& environment);

// The text without its tags, for text that must be shown although its template fails.
std::string without_tags(std::string_view text);

}  // namespace arbiter::ejs
