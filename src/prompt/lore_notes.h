// Faults of a book of lore: mistakes, and members without effect. For the report on a card and for
// --explain.
#pragma once

#include <string>
#include <vector>

#include "base/text.h"
#include "card/card.h"
#include "card/import_note.h"
#include "prompt/lore.h"

namespace arbiter::prompt {

// A fault of an entry. The entry is used all the same.
struct LoreFault {
    std::string entry;  // its title, else its id, and the member
    base::Text reason;
};
// The first ones of a book that `lore` follows; more are not worth reading.
std::vector<LoreFault> lore_faults(const Lore& lore, const LoreSource& book);

// Notes about the lorebook of a card.
std::vector<card::ImportNote> lore_notes(const card::Card& card);

}  // namespace arbiter::prompt
