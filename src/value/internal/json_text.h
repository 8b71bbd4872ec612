// Small facts about JSON text that its parsers and printer share.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "text/utf8.h"

namespace arbiter::value::internal {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Stands for itself inside a string.
inline bool is_plain(char c) noexcept {
    return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
}

// Line and column of an offset. The text before it must be valid UTF-8.
inline base::Place place_in(std::string_view text, std::size_t offset) noexcept {
    const std::string_view before = text.substr(0, offset);
    const std::size_t newline = before.rfind('\n');
    const std::size_t line_start = newline == std::string_view::npos ? 0 : newline + 1;
    return {offset, static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1,
            text::count(before.substr(line_start)) + 1};
}

}  // namespace arbiter::value::internal
