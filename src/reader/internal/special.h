// The bytes at which a block may begin in narrative.
#pragma once

#include <cstddef>
#include <string_view>

namespace arbiter::reader::internal {

// The first of < ` ~ { [ ( and of 0x88 (the last byte of （) at or behind `at`; text.size() if
// there is none. Passes over narrative at several bytes a cycle.
std::size_t find_special(std::string_view text, std::size_t at) noexcept;

}  // namespace arbiter::reader::internal
