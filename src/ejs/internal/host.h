// Host: functions and names of SillyTavern's prompt templates that only read.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "ejs/internal/datum.h"

namespace arbiter::ejs::internal {

std::span<const Builtin> host_functions() noexcept;  // getvar, getwi, print …
// variables, stat_data, userName, names that define() made …
std::optional<Datum> host_name(Machine& machine, std::string_view name);

}  // namespace arbiter::ejs::internal
