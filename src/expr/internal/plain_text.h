// Preparation of an arithmetic text: full-width characters become ASCII, dates are recognised. Pure
// functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace arbiter::expr::internal {

inline bool is_line_end(char c) noexcept {
    return c == '\n' || c == '\r';
}

// The text in printable ASCII and blanks, trimmed: full-width characters become their ASCII forms.
// Empty if it is longer than base::kArithmeticBytesMax or has characters that arithmetic does not.
std::optional<std::string> plain_text(std::string_view text) noexcept;

// 2031-07-09, 2024/1/1. Month and day must be valid, so that 1000-50-30 is arithmetic.
bool is_date(std::string_view text) noexcept;

}  // namespace arbiter::expr::internal
