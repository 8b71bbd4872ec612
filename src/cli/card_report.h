// The report on a card, as lines for people and as JSON.
#pragma once

#include <span>
#include <string>

#include "card/import_note.h"
#include "cli/console.h"
#include "value/value.h"

namespace arbiter::cli {

// Notes with the same reason share a line; empty if there are none.
std::string report_lines(const Console& console, std::span<const card::ImportNote> notes);
// [{"fate", "code", "name", "reason": {"en", "zh"}}]
value::Value report_value(std::span<const card::ImportNote> notes);

}  // namespace arbiter::cli
