// The language of a prompt: our headings and instructions around the author's
// and the player's texts. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "base/messages.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::prompt {

// The language that the setting ui.language chooses; nullopt for auto.
std::optional<base::Language> chosen_language(const value::Object& settings) noexcept;

// The setting, else the language of what the player said if it leaves no doubt, else that of the
// campaign's own texts or names, else that of what was said, else `otherwise`.
base::Language prompt_language(const value::Value& document, const value::Object& settings,
                               std::string_view said, base::Language otherwise);

}  // namespace arbiter::prompt
