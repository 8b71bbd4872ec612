// Details: values and paths as the details of a problem quote them.
#pragma once

#include <string>
#include <string_view>

#include "value/path.h"

namespace arbiter::engine::internal {

// The dotted form; "$" for the root.
std::string detail_of(const value::Path& path);
// Compact JSON, truncated at 120 bytes.
std::string detail_of(const value::Value& value);

}  // namespace arbiter::engine::internal
