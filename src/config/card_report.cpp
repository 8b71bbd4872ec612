#include "config/card_report.h"

#include <algorithm>
#include <iterator>

#include "card/regex_script.h"
#include "card/zod.h"
#include "prompt/lore_notes.h"
#include "prompt/template_notes.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::config {

std::vector<card::ImportNote> card_report(const card::Card& card) {
    std::vector<card::ImportNote> notes;
    for (auto* part : {&card::schema_notes, &card::regex_notes, &card::script_notes,
                       &prompt::template_notes, &card::field_notes, &prompt::lore_notes}) {
        std::ranges::move(part(card), std::back_inserter(notes));
    }
    return notes;
}

value::Value report_value(std::span<const card::ImportNote> notes) {
    value::Array rows;
    for (const card::ImportNote& note : notes) {
        rows = std::move(rows).push_back(value::Object{
            {"fate", name(note.fate)},
            {"code", std::string_view(note.code)},
            {"name", std::string_view(note.name)},
            {"reason", value::Object{{"en", std::string_view(note.reason.english)},
                                     {"zh", std::string_view(note.reason.chinese)}}}});
    }
    return rows;
}

}  // namespace arbiter::config
