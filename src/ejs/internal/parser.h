// Parser: tokens → the tree. Constructs outside the subset fail with their name.
#pragma once

#include <expected>
#include <string_view>

#include "ejs/failure.h"
#include "ejs/internal/syntax.h"

namespace arbiter::ejs::internal {

// Views of the result point into `text` and into its own `owned`.
std::expected<Program, Failure> parse(std::string_view text);

}  // namespace arbiter::ejs::internal
