// The functions of _ on single values: numbers, texts, records and tests of kinds.
#pragma once

#include <span>

#include "ejs/internal/datum.h"

namespace arbiter::ejs::internal {

std::span<const Builtin> lodash_value_functions() noexcept;

}  // namespace arbiter::ejs::internal
