// World: the rules of the world for one instruction: computed places, protected and filtered-out
// nodes, and the checks of rulebooks and protocols.
#pragma once

#include <optional>
#include <vector>

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

// Before the operation: whether the touched places forbid it. Returns nothing if they do not.
std::optional<proposal::Problem> check_places(const Instruction& instruction,
                                              const std::vector<value::Path>& places,
                                              const Policy& policy, const Context& context,
                                              const value::Value& document);

// A cheap test that lets most writes skip check_places: true only if that would find nothing at
// this path, given a policy without computed places.
bool is_surely_open(const value::Path& path, const value::Value* present);

// After the operation: protected and filtered-out nodes are still there, and every check holds.
// Values that a check replaces are changed. Returns false, with the problem set, if not. `start` is
// the state before the turn.
bool check_world(Work& work, const State& start);

}  // namespace arbiter::engine::internal
