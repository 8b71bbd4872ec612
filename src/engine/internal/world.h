// World: what the rules of the world say about one instruction: places that are computed, nodes
// that are protected or hidden, names that stand for others, and the checks of rulebooks.
#pragma once

#include <optional>
#include <vector>

#include "engine/internal/work.h"
#include "engine/marks.h"

namespace arbiter::engine::internal {

// The path that is meant: a name that stands for another, or a new name where a memory of that
// name is already there.
value::Path redirected(const Instruction& instruction, value::Path path, const Policy& policy,
                       const value::Value& document);

// Before the operation, by the places it is aimed at.
std::optional<proposal::Problem> check_places(const Instruction& instruction,
                                              const std::vector<value::Path>& places,
                                              const Policy& policy, const Context& context,
                                              const value::Value& document);

// A quick look whether what is at a path is nothing that check_places asks about: true is certain.
bool is_open(const value::Path& path, const value::Value* present);

// After it: protected nodes are still there, and every check holds; a value that a check clamps is
// changed. False, with the problem set.
bool check_world(Work& work, const value::Value& start);

}  // namespace arbiter::engine::internal
