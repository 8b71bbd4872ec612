// Preview: a short JSON text of a value for messages.
#pragma once

#include <cstddef>
#include <string>

#include "base/limits.h"
#include "value/value.h"

namespace arbiter::value {

// One line of JSON, truncated at a character boundary and marked with an ellipsis where it has more
// than `bytes_max` bytes. Costs what it prints, not the size of the value.
std::string preview(const Value& value, std::size_t bytes_max = base::kDetailBytesMax);

}  // namespace arbiter::value
