// The language of a prompt: the headings and instructions of ours that stand around the author's
// and the player's texts. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "base/messages.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::prompt {

// The language of a text by its letters; nullopt if it has too few of them.
std::optional<base::Language> language_of(std::string_view text) noexcept;

// The language that the setting ui.language chooses; nullopt for auto.
std::optional<base::Language> chosen_language(const value::Object& settings) noexcept;

// The setting, else the language of what the player said, else that of the campaign's own texts,
// else `otherwise`.
base::Language prompt_language(const value::Value& document, const value::Object& settings,
                               std::string_view said, base::Language otherwise);

}  // namespace arbiter::prompt
