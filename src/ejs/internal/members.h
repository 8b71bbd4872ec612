// Members and elements of any value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ejs/internal/datum.h"

namespace arbiter::ejs::internal {

// The member of a value, undefined if there is none. A key of undefined or null fails.
Datum member_of(Machine& machine, const Datum& base, std::string_view key);
// Sets a member of the template's own data; `written` is how the author wrote the place.
void set_member_of(Machine& machine, const Datum& base, const Datum& key, const Datum& value,
                   std::string written);
// The elements of a list, text, set or map; anything else fails.
std::vector<Datum> elements_of(Machine& machine, const Datum& iterable);

}  // namespace arbiter::ejs::internal
