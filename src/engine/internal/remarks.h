// Remarks: warnings about what was done that change nothing of it.
#pragma once

#include <span>

#include "engine/engine.h"

namespace arbiter::engine::internal {

// Values that still hold a placeholder or the name of an example; a clock that was set while the
// timeline was not written.
void remark(Outcome& outcome, std::span<const proposal::Proposal> proposals, const Policy& policy);

}  // namespace arbiter::engine::internal
