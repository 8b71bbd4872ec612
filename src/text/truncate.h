// Truncation of UTF-8 text at character boundaries. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace arbiter::text {

// The longest prefix of `text` that has at most `bytes_max` bytes and ends at a character boundary.
// Bytes that are not UTF-8 are cut as they are.
constexpr std::string_view truncate(std::string_view text, std::size_t bytes_max) noexcept {
    if (text.size() <= bytes_max) {
        return text;
    }
    constexpr std::size_t kContinuationBytesMax = 3;
    std::size_t end = bytes_max;
    while (end > 0 && bytes_max - end < kContinuationBytesMax &&
           (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) {
        --end;
    }
    return text.substr(0, end);
}

// The longest prefix of `text` with at most `characters_max` characters.
constexpr std::string_view truncate_characters(std::string_view text,
                                               std::size_t characters_max) noexcept {
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool begins = (static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80;
        if (begins && characters_max-- == 0) {
            return text.substr(0, at);
        }
    }
    return text;
}

// The same as truncate() with an ellipsis (three bytes beyond the limit) where something was cut
// off.
inline std::string truncate_with_ellipsis(std::string_view text, std::size_t bytes_max) {
    std::string kept(truncate(text, bytes_max));
    if (kept.size() < text.size()) {
        kept += "…";
    }
    return kept;
}

}  // namespace arbiter::text
