// Expiry: removes expired nodes (engine/internal/timers.h).
#pragma once

#include <vector>

#include "engine/engine.h"

namespace arbiter::engine::internal {

// Removes every expired node, oldest timer first, and appends a report of each.
// Protected nodes and the chain that leads to them stay. Costs the timers and the nodes that go.
void expire_nodes(State& state, const Context& context, std::vector<Expired>& expired);

}  // namespace arbiter::engine::internal
