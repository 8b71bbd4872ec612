// One scan of all books: which entries are active, in rounds, as SillyTavern goes about it.
//
// A round judges the entries whose keys were found, settles the groups, rolls chances and keeps to
// the budget. The contents of the entries that became active are searched for keys of the next one.
// Entries that are delayed until recursion join by levels: the lowest in the first round of
// recursion, each further one when nothing else is left.
#pragma once

#include <span>

#include "prompt/internal/lore_book.h"
#include "prompt/internal/lore_timers.h"
#include "prompt/lore.h"

namespace arbiter::prompt::internal {

struct Shelf {
    std::vector<Book*> books;
    std::size_t first_other = 0;  // books before it belong to the card, and are judged first
};

enum class ScanPurpose : std::uint8_t {
    kPrompt,
    kTimers  // only the timers are needed, as of an earlier turn: conditions count as fulfilled
};

// `timers` must have begun the scan. They are started for the entries that become active.
LoreResult activate(const Shelf& shelf, const LoreScan& scan, Timers& timers, ScanPurpose purpose);

}  // namespace arbiter::prompt::internal
