#include "text/case_fold.h"

#include <array>
#include <cstdint>
#include <cstring>

#include "text/utf8.h"

namespace arbiter::text {
namespace {

bool is_between(char32_t c, char32_t first, char32_t last) noexcept {
    return c >= first && c <= last;
}

// The small letter of one that is beyond ASCII. Each has as many bytes as its capital.
char32_t small(char32_t c) noexcept {
    if (is_between(c, 0xC0, 0xDE)) {
        return c == 0xD7 ? c : c + 32;
    }
    if (is_between(c, 0x100, 0x17F)) {
        if (c == 0x178) {
            return 0xFF;
        }
        // Two runs have their capitals at odd numbers; between them lie letters without a pair.
        const bool odd = is_between(c, 0x139, 0x148) || is_between(c, 0x179, 0x17E);
        const bool alone = is_between(c, 0x130, 0x131) || c == 0x138 || c == 0x149 || c == 0x17F;
        return !alone && (c % 2 == 1) == odd ? c + 1 : c;
    }
    if (is_between(c, 0x386, 0x3AB)) {
        switch (c) {
            case 0x386:
                return 0x3AC;
            case 0x387:
            case 0x38B:
            case 0x38D:
            case 0x390:
            case 0x3A2:
                return c;
            case 0x38C:
                return 0x3CC;
            case 0x38E:
            case 0x38F:
                return c + 63;
            default:
                return c < 0x38B ? c + 37 : c + 32;
        }
    }
    if (c == 0x3C2) {
        return 0x3C3;  // the sigma at the end of a word
    }
    if (is_between(c, 0x400, 0x42F)) {
        return c < 0x410 ? c + 80 : c + 32;
    }
    if (is_between(c, 0x460, 0x481) || is_between(c, 0x48A, 0x4BF) || is_between(c, 0x4D0, 0x52F) ||
        is_between(c, 0x1E00, 0x1E95) || is_between(c, 0x1EA0, 0x1EFF)) {
        return c | 1U;
    }
    if (is_between(c, 0x531, 0x556)) {
        return c + 48;
    }
    if (is_between(c, 0xFF21, 0xFF3A)) {
        return c + 32;
    }
    return c;
}

// What to do at a byte when looking for capitals: 0 nothing, 1 decode, 2 only if it is full-width
// Latin, 3 go on behind a character of three bytes.
constexpr std::array<std::uint8_t, 256> fold_bytes() {
    std::array<std::uint8_t, 256> table{};
    for (unsigned byte = 0xC3; byte <= 0xEF; ++byte) {
        table[byte] = byte == 0xEF ? 2 : byte == 0xE1 || byte <= 0xD5 ? 1 : byte >= 0xE0 ? 3 : 0;
    }
    return table;
}
constexpr auto kFoldBytes = fold_bytes();

// Bytes of words; of a character with several, its lead says it for all: 0 none, 1 a word's, 2 the
// next byte of whatever it was.
constexpr std::array<std::uint8_t, 256> word_bytes() {
    std::array<std::uint8_t, 256> table{};
    for (unsigned byte = 0; byte < 256; ++byte) {
        const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                            (byte >= '0' && byte <= '9') || byte == '_' ||
                            (byte >= 0xC3 && byte <= 0xDF) || byte == 0xE1;
        table[byte] = byte >= 0x80 && byte < 0xC0 ? 2 : letter ? 1 : 0;
    }
    return table;
}
constexpr auto kWordBytes = word_bytes();

}  // namespace

std::string fold_case(std::string_view text) {
    std::string folded(text);
    for (char& byte : folded) {
        byte = static_cast<char>(byte + (byte >= 'A' && byte <= 'Z' ? 'a' - 'A' : 0));
    }
    const std::size_t size = folded.size();
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint8_t kind = kFoldBytes[static_cast<std::uint8_t>(folded[i])];
        if (kind == 0) {
            continue;
        }
        // Ａ to Ｚ stand beside the full-width signs, of which every sentence has some.
        const bool is_latin = i + 2 < size && folded[i + 1] == '\xBC' && folded[i + 2] >= '\xA1' &&
                              folded[i + 2] <= '\xBA';
        if (kind == 3 || (kind == 2 && !is_latin)) {
            i += 2;
            continue;
        }
        const Decoded decoded = decode(std::string_view(folded).substr(i));
        const char32_t to = decoded.valid ? small(decoded.code_point) : decoded.code_point;
        if (decoded.valid && to != decoded.code_point) {
            std::string bytes;
            append(bytes, to);
            if (bytes.size() == decoded.size) {
                folded.replace(i, bytes.size(), bytes);
            }
        }
        i += decoded.size - std::size_t{1};
    }
    return folded;
}

std::string mark_words(std::string_view text) {
    std::string marked(2 * text.size() + 1, '\0');
    char* out = marked.data();
    bool in_word = false;
    const auto is_further = [text](std::size_t i) {
        return (static_cast<std::uint8_t>(text[i]) & 0xC0U) == 0x80;
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char byte = text[i];
        // Most of a Chinese text: characters of three bytes, none of them of a word.
        if (!in_word && static_cast<std::uint8_t>(byte) >= 0xE2 && i + 2 < text.size() &&
            is_further(i + 1) && is_further(i + 2)) {
            std::memcpy(out, text.data() + i, 3);
            out += 3;
            i += 2;
            continue;
        }
        const std::uint8_t kind = kWordBytes[static_cast<std::uint8_t>(byte)];
        const bool turns = kind != 2 && (kind == 1) != in_word;
        // Written always and kept only where a word begins or ends: there is nothing to guess.
        *out = '\x01';
        out += turns ? 1 : 0;
        in_word = in_word != turns;
        *out++ = byte;
    }
    if (in_word) {
        *out++ = '\x01';
    }
    marked.resize(static_cast<std::size_t>(out - marked.data()));
    return marked;
}

}  // namespace arbiter::text
