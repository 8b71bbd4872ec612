// The report on a card, as lines for people.
#pragma once

#include <span>
#include <string>

#include "card/import_note.h"
#include "cli/console.h"

namespace arbiter::cli {

// Notes with the same reason share a line; empty if there are none.
std::string report_lines(const Console& console, std::span<const card::ImportNote> notes);

}  // namespace arbiter::cli
