// lint(): finds mistakes in a template before it is rendered: its syntax, and names that templates
// may not use. A name that is found may still be in a branch that is never taken.
#pragma once

#include <optional>
#include <string_view>

#include "ejs/failure.h"

namespace arbiter::ejs {

// The first failure by line; none for a text without tags.
std::optional<Failure> lint(std::string_view text);

}  // namespace arbiter::ejs
