// How an author wrote an expression, shortened, for failures.
#pragma once

#include <string>

#include "ejs/internal/syntax.h"

namespace arbiter::ejs::internal {

std::string describe(const Program& program, NodeId id);

}  // namespace arbiter::ejs::internal
