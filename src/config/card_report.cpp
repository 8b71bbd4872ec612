#include "config/card_report.h"

#include <algorithm>
#include <iterator>

#include "card/regex_script.h"
#include "card/zod.h"
#include "prompt/lore_notes.h"
#include "prompt/template_notes.h"

namespace arbiter::config {

std::vector<card::ImportNote> card_report(const card::Card& card) {
    std::vector<card::ImportNote> notes;
    for (auto* part : {&card::schema_notes, &card::regex_notes, &card::script_notes,
                       &prompt::template_notes, &card::field_notes, &prompt::lore_notes}) {
        std::ranges::move(part(card), std::back_inserter(notes));
    }
    return notes;
}

}  // namespace arbiter::config
