// The characters that punctuate literals, in their ASCII and their wide forms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/ascii.h"

namespace arbiter::reader::internal {

using text::is_blank;
using text::is_digit;
using text::is_letter;

// A character: its size, and its meaning as punctuation.
struct Glyph {
    char ascii = 0;         // the ASCII form; 0 if it is not punctuation
    std::uint8_t size = 1;  // bytes
    bool wide = false;      // not the ASCII character itself
};

// glyph_at() for a character beyond ASCII.
inline Glyph wide_glyph_at(std::string_view text, std::size_t at) noexcept {
    const auto byte = static_cast<unsigned char>(text[at]);
    if ((byte != 0xEF && byte != 0xE2) || at + 2 >= text.size()) {
        return {};
    }
    const auto second = static_cast<unsigned char>(text[at + 1]);
    const auto third = static_cast<unsigned char>(text[at + 2]);
    if (byte == 0xE2) {
        if (second == 0x80 && (third == 0x9C || third == 0x9D)) {
            return {'"', 3, true};  // “ ”
        }
        if (second == 0x80 && (third == 0x98 || third == 0x99)) {
            return {'\'', 3, true};  // ‘ ’
        }
        return {};
    }
    if (second == 0xBC) {
        switch (third) {
            case 0x8C:
                return {',', 3, true};
            case 0x9A:
                return {':', 3, true};
            case 0x9B:
                return {';', 3, true};
            case 0x88:
                return {'(', 3, true};
            case 0x89:
                return {')', 3, true};
            case 0x82:
                return {'"', 3, true};  // ＂
            case 0x87:
                return {'\'', 3, true};  // ＇
            case 0xBB:
                return {'[', 3, true};
            case 0xBD:
                return {']', 3, true};
            default:
                return {};
        }
    }
    if (second == 0xBD && (third == 0x9B || third == 0x9D)) {
        return {third == 0x9B ? '{' : '}', 3, true};
    }
    return {};
}

// , : ; ( ) { } [ ] and quotes; opening and closing ones are the same. Only what is in the text is
// looked at.
inline Glyph glyph_at(std::string_view text, std::size_t at) noexcept {
    const char byte = text[at];
    if (static_cast<unsigned char>(byte) < 0x80) [[likely]] {
        return {byte, 1, false};
    }
    return wide_glyph_at(text, at);
}

inline bool is_quote(char c) noexcept {
    return c == '"' || c == '\'' || c == '`';
}

// blank_at() for a character beyond ASCII.
inline std::size_t wide_blank_at(std::string_view text, std::size_t at) noexcept {
    const std::string_view rest = text.substr(at, 3);
    if (rest == "\u3000" || rest == "\uFEFF" || rest == "\u2028" || rest == "\u2029" ||
        rest == "\u200B") {
        return 3;
    }
    return rest.starts_with("\u00A0") ? 2 : 0;
}

// The size of the blank at `at`; 0 if it is not a blank.
inline std::size_t blank_at(std::string_view text, std::size_t at) noexcept {
    if (static_cast<unsigned char>(text[at]) < 0x80) [[likely]] {
        return is_blank(text[at]) ? 1 : 0;
    }
    return wide_blank_at(text, at);
}

// Bytes behind a quote that closes_string() examines: a wide mark, some blanks, and one character.
inline constexpr std::size_t kCloseAhead = 24;

// Whether the text at `at`, behind a quote and blanks, shows that the quote closes its string.
// `newline`: a line break is among the blanks. Examines at most kCloseAhead bytes.
inline bool closes_string(std::string_view text, std::size_t at, bool newline) noexcept {
    if (at >= text.size()) {
        return true;
    }
    const Glyph next = glyph_at(text, at);
    switch (next.ascii) {
        case ',':
        case ':':
            if (next.wide) {
                // A wide mark separates values unless Chinese text follows: "a"，"b".
                std::size_t behind = at + next.size;
                while (behind < text.size() && behind - at < kCloseAhead - 4 &&
                       is_blank(text[behind])) {
                    ++behind;
                }
                if (behind >= text.size() || static_cast<unsigned char>(text[behind]) < 0x80) {
                    return true;
                }
                const std::string_view rest = text.substr(behind);
                if (rest.size() > 2 && rest.starts_with("\xEF\xBC") && rest[2] >= '\x90' &&
                    rest[2] <= '\x99') {
                    return true;  // ０ … ９
                }
                const char mark = glyph_at(text, behind).ascii;
                return is_quote(mark) || mark == '{' || mark == '[' || mark == '}' || mark == ']';
            }
            return true;
        case '}':
        case ']':
        case ')':
        case ';':
            return true;
        case '/':
            return at + 1 < text.size() && (text[at + 1] == '/' || text[at + 1] == '*');
        case '<':
            return text.substr(at).starts_with("<!--") || text.substr(at).starts_with("</");
        case '"':
        case '\'':
        case '{':
        case '[':
            return newline;
        default:
            return false;
    }
}

// Whether closes_string() needs more text than `rest`.
inline bool is_close_open(std::string_view rest) noexcept {
    if (rest.empty()) {
        return true;
    }
    const auto first = static_cast<unsigned char>(rest[0]);
    return first >= 0x80 ? rest.size() < kCloseAhead
                         : rest.size() < 4 && (first == '/' || first == '<');
}

}  // namespace arbiter::reader::internal
