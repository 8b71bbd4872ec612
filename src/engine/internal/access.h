// Access: whether the actor of an instruction may touch its paths.
#pragma once

#include <optional>

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

// Whether the policy forbids the instruction, judged by its paths alone, before it is carried out.
// `path` is in the document. Returns nothing if the instruction may continue.
std::optional<proposal::Problem> check_access(const WorkInputs& inputs, const value::Path& path);

// Whether a call of the memory modules stays where it may act. In another module than its own
// (`foreign`) it may set an existing value or fill an open place, and no more.
std::optional<proposal::Problem> check_module(const WorkInputs& inputs, const value::Path& path,
                                              bool foreign);

// Whether a path that does not exist is in an open place of the policy: it is a new member of an
// existing container, or anything below a `**`.
bool is_open(const Policy& policy, const value::Value& document, const value::Path& where);

}  // namespace arbiter::engine::internal
