// UTF-8: decoding, validation and repair. Pure functions over bytes; only those that return a
// string allocate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace arbiter::text {

inline constexpr char32_t kReplacement = 0xFFFD;

// One decoded character. `size` is at least 1 for non-empty input; a broken sequence decodes to
// kReplacement with `valid` false and the size of its longest valid prefix.
struct Decoded {
    char32_t code_point = kReplacement;
    std::uint8_t size = 0;
    bool valid = false;
};
Decoded decode(std::string_view bytes) noexcept;

// Appends a code point; surrogates and values beyond U+10FFFF become U+FFFD.
void append(std::string& out, char32_t code_point);

// The offset of the first broken sequence, or npos. Overlong forms and surrogates are broken.
std::size_t find_invalid(std::string_view bytes) noexcept;

inline bool is_valid(std::string_view bytes) noexcept {
    return find_invalid(bytes) == std::string_view::npos;
}

// A copy with U+FFFD for each broken sequence.
std::string repair(std::string_view bytes);
// The same for text that comes from outside: valid text is passed on without a copy.
std::string to_utf8(std::string bytes);

// The number of code points in valid UTF-8.
std::size_t count(std::string_view valid) noexcept;

// The order of UTF-16 code units, as JavaScript sorts strings and RFC 8785 sorts keys: differs
// from byte order only where one side is beyond U+FFFF. Both sides valid.
int compare_utf16(std::string_view left, std::string_view right) noexcept;

}  // namespace arbiter::text
