// Access: where an instruction's paths lie in the document, and whether its actor may touch them.
#pragma once

#include <optional>

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

// A path of an instruction as a path of the document: with the mount of its dialect in front.
value::Path mounted(const Instruction& instruction, const value::Path& path,
                    const value::Value& document);

// Whether the policy forbids the instruction, judged by its paths alone, before it is carried out.
// `path` is in the document. Returns nothing if the instruction may go on.
std::optional<proposal::Problem> check_access(const WorkInputs& inputs, const value::Path& path);

}  // namespace arbiter::engine::internal
