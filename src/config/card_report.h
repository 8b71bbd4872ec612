// The report on a card that a campaign begins with: which parts were taken over, which were not,
// and why.
#pragma once

#include <vector>

#include "card/import_note.h"

namespace arbiter::config {

// One list from every module that reads a part of the card, in the order of importance for its
// author. To report on another part, append its notes in card_report.cpp.
std::vector<card::ImportNote> card_report(const card::Card& card);

}  // namespace arbiter::config
