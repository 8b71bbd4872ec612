// Strings in rendered lines: quoted only if they are ambiguous.
#pragma once

#include <string>
#include <string_view>

namespace arbiter::prompt::internal {

void append_text(std::string& out, std::string_view text);

}  // namespace arbiter::prompt::internal
