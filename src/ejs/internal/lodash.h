// The functions of _ that only compute: reading paths, lists, records and numbers. Those that write
// (_.set, _.merge …) work on the template's own records, never on the document.
#pragma once

#include <span>
#include <string_view>

#include "ejs/internal/datum.h"

namespace arbiter::ejs::internal {

std::span<const Builtin> lodash_functions() noexcept;

// _.get: the value at a path ("a.b[0]", or a list of keys); undefined: none.
Datum value_at(Machine& machine, const Datum& root, const Datum& path);

}  // namespace arbiter::ejs::internal
