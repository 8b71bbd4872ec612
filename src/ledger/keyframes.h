// Keyframes: stored whole states, from which other states are loaded. Each can be dropped except
// the one of the first turn: loading then takes longer.
#pragma once

#include "ledger/campaign.h"

namespace arbiter::ledger {

// Whether the turn with this number, which leads to `after`, is stored with a keyframe.
bool is_keyframe_due(std::int64_t number, const engine::State& after);

// Keyframes that stay: all of the last `recent` turns, and the first one of each branch in each
// `every` turns before. Those of the first turn, the head and the checkpoints always stay.
struct Thinning {
    std::int64_t recent = 1000;
    std::int64_t every = 500;
};
// Drops the other keyframes and returns their number. Turns are never dropped.
base::Result<std::size_t> thin(const Campaign& campaign, const Thinning& thinning = {});

}  // namespace arbiter::ledger
