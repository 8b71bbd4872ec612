// Checks a character card for its author: the file itself, misspelled fields, the variables of
// every greeting, and the protocols that it names.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "card/import_note.h"
#include "config/diagnostics.h"
#include "config/source_files.h"
#include "protocol/library.h"

namespace arbiter::config {

inline constexpr std::string_view kCardExtensions[] = {".png", ".json", ".yaml", ".yml", ".charx"};

struct CardLint {
    Lint lint;
    // The parts of each card that are not taken over, or only in part.
    struct Notes {
        std::string file;
        std::vector<card::ImportNote> notes;
    };
    std::vector<Notes> notes;
};

// All mistakes in some cards. A file that is not a card has only the diagnostic of that. Variables
// are in a text of their own: their diagnostics are named "FILE: ENTRY", with positions in that
// text.
CardLint lint_cards(std::span<const SourceText> sources, const protocol::Library& library);

}  // namespace arbiter::config
