// Timers: nodes that the engine removes at a given time (options ttl and expiresAt).
//
// A timer is {path, at, opId, bin?, reason?} in the state's meta, with a canonical path. Every
// instruction reports how elements of arrays moved (Work::shifts), and timers follow their nodes. A
// node that is removed, replaced or written anew loses its timer.
#pragma once

#include <vector>

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

// Checks before the operation that the recycle bin of a timed instruction can be used. False, with
// the problem set, if not.
bool check_timers(Work& work);
// Updates the timers in the work's meta after the operation.
void update_timers(Work& work, const value::Value& before);
// Removes every node whose time is over, oldest timer first, and appends a report of each.
// Protected nodes and the chain that leads to them stay.
void expire_nodes(State& state, const Context& context, std::vector<Expired>& expired);

}  // namespace arbiter::engine::internal
