// Where a block that is never closed ends: before the first blank line that prose follows.
#pragma once

#include <cstddef>
#include <string_view>

#include "reader/internal/scan.h"

namespace arbiter::reader::internal {

// Whether a blank line follows and prose behind it. `rest` begins behind a line break. kMore: more
// text is needed.
Scan find_prose(std::string_view rest, bool finished) noexcept;

// Whether a tag begins the line, behind blanks: it ends every JSON value.
Scan find_line_tag(std::string_view rest, bool finished) noexcept;

// The offset in `text`, a block that the end of the reply cuts off, where it ends. text.size() if
// it continues to the end.
std::size_t unclosed_end(std::string_view text) noexcept;

}  // namespace arbiter::reader::internal
