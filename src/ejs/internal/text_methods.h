// Methods of texts.
#pragma once

#include <span>

#include "ejs/internal/methods.h"

namespace arbiter::ejs::internal {

std::span<const Method> text_methods() noexcept;

}  // namespace arbiter::ejs::internal
