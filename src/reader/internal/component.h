// The structure of a component: the elements directly inside its tag.
#pragma once

#include <string_view>

#include "value/array.h"

namespace arbiter::reader::internal {

// {"tag": …, "content": …} for each closed element on the outermost level of `content`.
value::Array component_children(std::string_view content);

}  // namespace arbiter::reader::internal
