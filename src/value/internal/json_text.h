// Small facts about JSON text that its parsers and printer share.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/error.h"
#include "text/utf8.h"

namespace arbiter::value::internal {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Stands for itself inside a string.
inline bool is_plain(char c) noexcept {
    return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
}

// The place of an offset, counted on from an earlier place. The text up to it must be valid UTF-8.
inline base::Place place_after(std::string_view text, const base::Place& from,
                               std::size_t offset) noexcept {
    const std::string_view between = text.substr(from.offset, offset - from.offset);
    const std::size_t newline = between.rfind('\n');
    if (newline == std::string_view::npos) {
        return {offset, from.line, from.column + text::count(between)};
    }
    return {offset, from.line + static_cast<std::size_t>(std::ranges::count(between, '\n')),
            text::count(between.substr(newline + 1)) + 1};
}
inline base::Place place_in(std::string_view text, std::size_t offset) noexcept {
    return place_after(text, {}, offset);
}

// The first character of a text as a message shows it: itself, or U+001B for what a terminal would
// obey instead of showing.
inline std::string shown_character(std::string_view text) {
    const text::Decoded next = text::decode(text.substr(0, 4));
    if (next.valid && next.code_point >= 0x20 &&
        (next.code_point < 0x7F || next.code_point >= 0xA0)) {
        return std::string(text.substr(0, next.size));
    }
    constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string out = "U+";
    for (int shift = 12; shift >= 0; shift -= 4) {
        out += kHex[(next.code_point >> shift) & 15];
    }
    return out;
}

}  // namespace arbiter::value::internal
