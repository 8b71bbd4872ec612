// Remarks: warnings about applied commands that do not change their outcome.
#pragma once

#include <span>

#include "engine/engine.h"

namespace arbiter::engine::internal {

// Adds warnings to the verdicts: for values that still contain a placeholder or an example's name,
// and for a clock that was set without a timeline entry in the same reply.
void add_remarks(Outcome& outcome, std::span<const proposal::Proposal> proposals,
                 const Policy& policy);

}  // namespace arbiter::engine::internal
