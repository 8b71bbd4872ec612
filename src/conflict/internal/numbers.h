// Numbers in prose: digits, 汉字 and English words. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace arbiter::conflict::internal {

struct Number {
    std::size_t size = 0;      // bytes
    std::int64_t value = 0;    // up to 10^12
    std::int64_t divisor = 0;  // 三分之一 is 1 / 3
};
// The number at a place of a folded text. `before` is the byte before it, or 0.
std::optional<Number> number_at(std::string_view rest, char before);
// Whether a number may begin with the character.
bool begins_number(char32_t c) noexcept;

}  // namespace arbiter::conflict::internal
