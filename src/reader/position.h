// Positions in a text, for messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace arbiter::reader {

// Line, column and the text that stands there: "3:14 `::: @@@`".
std::string describe_position(std::string_view text, std::size_t offset);

}  // namespace arbiter::reader
