// Globals: names that every template knows, and names that it knows in vain.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "ejs/failure.h"
#include "ejs/internal/datum.h"

namespace arbiter::ejs::internal {

// Math, Object, _ …: functions by name, never a prototype. Some can be called or constructed
// themselves (Number, Set).
struct Namespace {
    std::string_view name;
    std::span<const Builtin> functions;
    const Builtin* own = nullptr;
    std::span<const Builtin> more = {};
};

// A function or namespace.
std::optional<Datum> find_global(std::string_view name);
// A variable of the environment (userName, variables, stat_data …).
std::optional<Datum> find_environment_name(Machine& machine, std::string_view name);
// Why a template must not use a name that SillyTavern knows; none: unknown there too.
std::optional<Fault> refusal(std::string_view name) noexcept;

// The member of a namespace; undefined: none.
Datum find_in_namespace(const Namespace& space, std::string_view name);
// new Set(…), new Map(…), new Array(…); fails for others.
Datum construct(Machine& machine, const Namespace& space, Arguments arguments);

}  // namespace arbiter::ejs::internal
