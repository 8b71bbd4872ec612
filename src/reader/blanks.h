// Blanks around values: spaces, tabs, line breaks, and the wide and non-breaking spaces of Unicode.
#pragma once

#include <cstddef>
#include <string_view>

namespace arbiter::reader {

// Moves `at` behind the blanks.
void skip_blanks(std::string_view text, std::size_t& at) noexcept;
std::string_view trim(std::string_view text) noexcept;

}  // namespace arbiter::reader
