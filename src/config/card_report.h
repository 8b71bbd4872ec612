// The report on a card that a campaign begins with: which parts were taken over, which were not,
// and why.
#pragma once

#include <span>
#include <vector>

#include "card/import_note.h"
#include "value/value.h"

namespace arbiter::config {

// One list from every module that reads a part of the card, in the order of importance for its
// author. To report on another part, append its notes in card_report.cpp.
std::vector<card::ImportNote> card_report(const card::Card& card);
// [{"fate", "code", "name", "reason": {"en", "zh"}}]
value::Value report_value(std::span<const card::ImportNote> notes);

}  // namespace arbiter::config
