// Aligning sequences: which elements of two arrays belong together, which members kept their order.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "value/value.h"

namespace arbiter::value::internal {

// Pairs (i, j), rising in both, of elements that print the same bytes. As many as possible in
// stretches of at most base::kDiffCellsMax cells; longer ones are first cut at elements that stand
// once on both sides. Costs O(n log n).
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
Pairs common_elements(std::span<const Value* const> a, std::span<const Value* const> b);

// Marks a longest rising run of these different numbers: what may stay when the rest moves.
std::vector<bool> longest_rising(std::span<const std::size_t> numbers);

}  // namespace arbiter::value::internal
