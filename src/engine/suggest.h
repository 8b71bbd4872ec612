// Suggest: the path that was probably meant, for one that leads nowhere.
#pragma once

#include <optional>

#include "value/path.h"

namespace arbiter::engine {

// An existing path: with one key corrected, or with the same last key elsewhere, first below the
// existing part of the path. Returns nothing if the path exists, ends with an index, or nothing
// similar is found. Searches a bounded part of the document.
std::optional<value::Path> suggest_path(const value::Value& document, const value::Path& path);

}  // namespace arbiter::engine
