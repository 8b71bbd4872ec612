// DerivedOrder: the order in which derived values are computed, each behind what it reads.
//
// Costs about what there is to read, not the square of the rules: places stand in a tree, and a
// formula waits for a branch of it instead of for every rule in the branch.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rules/rulebook.h"

namespace arbiter::rules::internal {

struct DerivedOrder {
    std::vector<std::size_t> sorted;  // all of them; or fewer, where there is a cycle
    std::vector<std::size_t> cycle;   // one that there is: each reads the next, the last the first
};
DerivedOrder order_of(std::span<const Derived> rules);

}  // namespace arbiter::rules::internal
