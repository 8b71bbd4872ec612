// The beginning of a text, of whole characters.
#pragma once

#include <string_view>

namespace arbiter::text {

// At most so many bytes of it. `text` is valid UTF-8.
constexpr std::string_view beginning(std::string_view text, std::size_t bytes) noexcept {
    if (text.size() <= bytes) {
        return text;
    }
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80) {
        --bytes;
    }
    return text.substr(0, bytes);
}

}  // namespace arbiter::text
