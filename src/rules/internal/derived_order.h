// DerivedOrder: the topological order of derived values, each after the values that it reads.
//
// Nearly linear in the number of reads: places form a tree, and a formula depends on a branch of it
// instead of on every rule in the branch.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rules/rulebook.h"

namespace arbiter::rules::internal {

struct DerivedOrder {
    std::vector<std::size_t> sorted;  // all rules; fewer if there is a cycle
    std::vector<std::size_t> cycle;   // one of the cycles: each reads the next, the last the first
};
DerivedOrder order_of(std::span<const Derived> rules);

}  // namespace arbiter::rules::internal
