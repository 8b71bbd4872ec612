// Math: its functions and constants. Math.random is refused: a rendering gives the same text again.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "ejs/internal/datum.h"

namespace arbiter::ejs::internal {

std::span<const Builtin> math_functions() noexcept;
std::optional<double> math_constant(std::string_view name) noexcept;  // also those of Number

}  // namespace arbiter::ejs::internal
