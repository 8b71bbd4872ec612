// Access: whether the actor of an instruction may touch its paths.
#pragma once

#include <optional>

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

// Whether the policy forbids the instruction, judged by its paths alone, before it is carried out.
// `path` is in the document. Returns nothing if the instruction may go on.
std::optional<proposal::Problem> check_access(const WorkInputs& inputs, const value::Path& path);

}  // namespace arbiter::engine::internal
