// Paths as models write them in calls and lists: lodash's syntax and common mistakes.
#pragma once

#include <string_view>

#include "value/path.h"

namespace arbiter::reader::internal {

// a.b[0]["c.d"]; also [name] without quotes, ."quoted". segments, \. for a dot, blanks and quotes
// around the whole. Total: every text is a path; the empty text is the root.
value::Path lenient_path(std::string_view text);

}  // namespace arbiter::reader::internal
