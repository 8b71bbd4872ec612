// Texts in lines that people and models read: in quotes only where they could be taken for
// something else.
#pragma once

#include <string>
#include <string_view>

namespace arbiter::prompt::internal {

void append_text(std::string& out, std::string_view text);

}  // namespace arbiter::prompt::internal
