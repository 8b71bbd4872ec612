// Templates in texts of authors, rendered on what macros read.
#pragma once

#include <expected>
#include <functional>
#include <string>
#include <string_view>

#include "prompt/macros.h"

namespace arbiter::prompt::internal {

// Expands the macros of an entry that a template asks for.
using EntryText = std::function<std::string(std::string_view content, std::string_view title)>;

std::expected<std::string, Why> render_template(std::string_view text, MacroWorld& world,
                                                const EntryText& entry_text);

}  // namespace arbiter::prompt::internal
