// The words of a reply for a player, before redaction: the card's regex scripts are applied to the
// text with its elements, and the tags that are left are dropped.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "card/regex_script.h"

namespace arbiter::turn {

// `told`: the narrative with its components (reader/told.h); empty: it has none. `depth`: how many
// messages are newer.
std::string visible_text(std::string_view narrative, std::string_view told,
                         const card::Replacements& replacements, std::size_t depth);

}  // namespace arbiter::turn
