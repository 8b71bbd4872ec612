// Regular expressions of templates, on the linear engine of text/regex.h. A pattern that the engine
// cannot express fails.
#pragma once

#include <string_view>

#include "ejs/internal/methods.h"

namespace arbiter::ejs::internal {

// pattern.test(text)
bool is_match(Machine& machine, const Datum& pattern, std::string_view text);

// Methods of texts with a pattern as first argument.
Datum match_pattern(Machine& machine, const Datum& text, const Datum& pattern);
Datum match_all(Machine& machine, const Datum& text, const Datum& pattern);
Datum search_pattern(Machine& machine, const Datum& text, const Datum& pattern);
Datum split_by_pattern(Machine& machine, const Datum& text, const Datum& pattern);
Datum replace_pattern(Machine& machine, const Datum& text, const Datum& pattern, const Datum& with,
                      bool replaces_all);

}  // namespace arbiter::ejs::internal
