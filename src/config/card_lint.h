// Checks a character card for its author: the file itself, misspelled fields, the variables of
// every greeting, and the protocols that it names.
#pragma once

#include <string>
#include <vector>

#include "card/import_note.h"
#include "config/diagnostics.h"
#include "protocol/library.h"

namespace arbiter::config {

struct CardLint {
    std::vector<FileDiagnostics> diagnostics;
    std::vector<card::ImportNote> notes;  // parts that are not taken over, or only in part
};

// A card that cannot be read has only the diagnostic of that. Variables stand in a text of their
// own: their diagnostics are named "FILE: ENTRY", with positions in that text.
CardLint lint_card(const std::string& file, const protocol::Library& library);

}  // namespace arbiter::config
