// Methods of lists. Those that would change a list of the document fail.
#pragma once

#include <span>

#include "ejs/internal/methods.h"

namespace arbiter::ejs::internal {

std::span<const Method> list_methods() noexcept;

// Sorts by a function of the template; none: by text. Fails within the limit on steps.
void sort_items(Machine& machine, std::vector<Datum>& items, const Datum& order);

}  // namespace arbiter::ejs::internal
