#include "turn/visible.h"

#include "reader/told.h"

namespace arbiter::turn {

std::string visible_text(std::string_view narrative, std::string_view told,
                         const card::Replacements& replacements, std::size_t depth) {
    const std::string text = replacements.apply(
        told.empty() ? narrative : told, {card::Side::kDisplay, card::Speaker::kCharacter, depth});
    return told.empty() ? text : reader::without_tags(text);
}

}  // namespace arbiter::turn
