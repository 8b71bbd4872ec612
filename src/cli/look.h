// The world around a player in words: /look, /map and /items. Total: documents are untrusted. Pure
// functions.
#pragma once

#include <string>
#include <string_view>

#include "base/messages.h"
#include "value/value.h"

namespace arbiter::cli {

// Each is empty if the campaign has nothing to show.
std::string look_words(const value::Value& document, base::Language language);
std::string map_words(const value::Value& document, base::Language language);
// Of a character; empty id: of the one who acts.
std::string item_words(const value::Value& document, std::string_view character,
                       base::Language language);

}  // namespace arbiter::cli
