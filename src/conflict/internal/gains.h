// Gains: things that the narration gives to a character and that no inventory lists.
//
// A prop is scenery; a thing with a clear verb of getting, or shown as a reward in a
// panel, is a claim. Only with a count or a measure of things (一封信, a lantern), because one also
// gets smiles, answers and time.
#pragma once

#include "conflict/internal/claims.h"

namespace arbiter::conflict::internal {

// Reads one clause that names no listed thing.
void read_gain(const Context& at, std::size_t clause);

}  // namespace arbiter::conflict::internal
