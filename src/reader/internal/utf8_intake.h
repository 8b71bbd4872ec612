// Utf8Intake: makes the bytes that a Window received visible, as valid UTF-8.
//
// Broken sequences become U+FFFD before any reader sees them; an incomplete character at the end
// stays hidden until its other bytes arrive.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "reader/internal/window.h"

namespace arbiter::reader::internal {

// Feeds up to this size are checked byte by byte, which is faster for them than the general check.
inline constexpr std::size_t kSmallFeed = 16;

// Whether `text` begins with a character of three bytes, or with the first bytes of one. Excludes
// those that begin with E0 or ED, which need a further check.
inline bool starts_three_bytes(std::string_view text) noexcept {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0xE1 || byte(0) > 0xEF || byte(0) == 0xED) {
        return false;
    }
    for (std::size_t i = 1; i < text.size() && i < 3; ++i) {
        if ((byte(i) & 0xC0) != 0x80) {
            return false;
        }
    }
    return true;
}

class Utf8Intake {
  public:
    // Reveals the hidden bytes of the window, except for an incomplete last character.
    void reveal(Window& window);
    // At the end of the reply: an incomplete last character becomes U+FFFD.
    void finish(Window& window);

    // Offset of the first replacement.
    [[nodiscard]] std::optional<std::size_t> first_replaced() const noexcept {
        return first_replaced_;
    }

  private:
    void append_replacement(Window& window);
    void replace_broken(Window& window, std::string_view rest);

    std::optional<std::size_t> first_replaced_;
};

}  // namespace arbiter::reader::internal
