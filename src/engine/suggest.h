// Suggest: the place that somebody probably meant, for a path that leads nowhere.
#pragma once

#include <optional>

#include "value/path.h"

namespace arbiter::engine {

// An existing path: with one name corrected, or the same last name elsewhere below the part that
// exists. Looks at a bounded part of the document.
std::optional<value::Path> suggest_path(const value::Value& document, const value::Path& path);

}  // namespace arbiter::engine
