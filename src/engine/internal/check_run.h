// CheckRun: the checks of rulebooks and protocols on what one instruction changed.
#pragma once

#include <utility>
#include <vector>

#include "engine/check.h"
#include "engine/internal/work.h"

namespace arbiter::engine::internal {

// The index of a policy; an empty one if it has none.
const PolicyIndex& index_of(const Policy& policy) noexcept;

// The patterns of an index that touch one of the places, with the place: by number, then by place.
std::vector<std::pair<std::uint32_t, std::size_t>> touching(const value::PatternIndex& index,
                                                            const std::vector<value::Path>& places);
// The checks that count changes and concern one of the places, in their order.
std::vector<std::shared_ptr<const Check>> counting_checks(const Policy& policy,
                                                          const std::vector<value::Path>& places);

// Runs all checks on the changed places. Values that a check replaces are changed. Returns false,
// with the problem set, if a check refuses, or the budget of the turn is spent.
bool run_checks(Work& work, const State& start, const std::vector<value::Path>& places);

}  // namespace arbiter::engine::internal
