// The text of arithmetic before it is read: only ASCII, and no date. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace arbiter::expr::internal {

inline bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}
inline bool is_line_end(char c) noexcept {
    return c == '\n' || c == '\r';
}
inline bool is_blank(char c) noexcept {
    return c == ' ' || c == '\t' || is_line_end(c);
}

// The text in printable ASCII and blanks, without those around it: full-width characters become
// what they stand for. Nothing when it is longer than base::kArithmeticBytesMax or has characters
// that no arithmetic has.
std::optional<std::string> plain_text(std::string_view text) noexcept;

// 2031-07-09, 2024/1/1: with a month and a day that exist, so that 1000-50-30 stays arithmetic.
bool is_date(std::string_view text) noexcept;

}  // namespace arbiter::expr::internal
