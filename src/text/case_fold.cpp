#include "text/case_fold.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "text/utf8.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace arbiter::text {
namespace {

bool is_between(char32_t c, char32_t first, char32_t last) noexcept {
    return c >= first && c <= last;
}

// The small letter of a capital beyond ASCII, which has as many bytes.
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

// The action at a lead byte when searching for capitals: 0 skip the byte, 1 decode, 2 decode only
// full-width Latin, 3 skip a character of three bytes.
constexpr std::array<std::uint8_t, 256> fold_bytes() {
    std::array<std::uint8_t, 256> table{};
    for (unsigned byte = 0xC3; byte <= 0xEF; ++byte) {
        table[byte] = byte == 0xEF ? 2 : byte == 0xE1 || byte <= 0xD5 ? 1 : byte >= 0xE0 ? 3 : 0;
    }
    return table;
}
constexpr auto kFoldBytes = fold_bytes();

// The class of a byte: 0 not part of a word, 1 part of a word, 2 a continuation byte, which belongs
// to whatever its lead byte does.
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

std::uint8_t byte_at(std::string_view text, std::size_t at) noexcept {
    return static_cast<std::uint8_t>(text[at]);
}

// Ａ to Ｚ share their first two bytes with full-width punctuation, which is frequent.
bool is_wide_latin(std::string_view text, std::size_t at) noexcept {
    return at + 2 < text.size() && text[at + 1] == '\xBC' && text[at + 2] >= '\xA1' &&
           text[at + 2] <= '\xBA';
}

// Folds the character at `at`, if it is a capital. Returns the offset of the next character.
std::size_t fold_at(std::string& folded, std::size_t at) {
    const std::uint8_t kind = kFoldBytes[byte_at(folded, at)];
    if (kind == 0) {
        return at + 1;
    }
    if (kind == 3 || (kind == 2 && !is_wide_latin(folded, at))) {
        return at + 3;
    }
    const Decoded decoded = decode(std::string_view(folded).substr(at));
    const char32_t to = decoded.valid ? small(decoded.code_point) : decoded.code_point;
    if (decoded.valid && to != decoded.code_point) {
        std::string bytes;
        append(bytes, to);
        if (bytes.size() == decoded.size) {
            folded.replace(at, bytes.size(), bytes);
        }
    }
    return at + decoded.size;
}

#if defined(__SSE2__)
__m128i load(const char* bytes) noexcept {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
}
// A mask of the bytes from `first` to `last`.
__m128i are_between(__m128i bytes, std::uint8_t first, std::uint8_t last) noexcept {
    const __m128i above = _mm_sub_epi8(bytes, _mm_set1_epi8(static_cast<char>(first)));
    const __m128i most = _mm_set1_epi8(static_cast<char>(last - first));
    return _mm_cmpeq_epi8(_mm_min_epu8(above, most), above);
}
__m128i are(__m128i bytes, char byte) noexcept {
    return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte));
}
#endif

// The offset of the next character beyond ASCII that may be a capital; the size if there is none.
std::size_t find_capital(std::string_view text, std::size_t at) noexcept {
#if defined(__SSE2__)
    // The mask of full-width letters needs the two bytes behind each.
    for (; at + 18 <= text.size(); at += 16) {
        const char* const place = text.data() + at;
        const __m128i bytes = load(place);
        const __m128i wide =
            _mm_and_si128(_mm_and_si128(are(bytes, '\xEF'), are(load(place + 1), '\xBC')),
                          are_between(load(place + 2), 0xA1, 0xBA));
        const __m128i others = _mm_or_si128(are_between(bytes, 0xC3, 0xD5), are(bytes, '\xE1'));
        const auto found = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(wide, others)));
        if (found != 0) {
            return at + static_cast<std::size_t>(std::countr_zero(found));
        }
    }
#endif
    while (at < text.size()) {
        const std::uint8_t kind = kFoldBytes[byte_at(text, at)];
        if (kind == 1 || (kind == 2 && is_wide_latin(text, at))) {
            break;
        }
        ++at;
    }
    return at;
}

// Copies the run of non-word bytes at `at` to `out` and returns its length. May overwrite up to 16
// bytes past the run, but not more than are left of the text.
std::size_t copy_others(std::string_view text, std::size_t at, char* out) noexcept {
    std::size_t size = 0;
#if defined(__SSE2__)
    for (; at + size + 16 <= text.size(); size += 16) {
        const __m128i bytes = load(text.data() + at + size);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + size), bytes);
        const __m128i letters = are_between(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 'z');
        const __m128i signs = _mm_or_si128(are_between(bytes, '0', '9'), are(bytes, '_'));
        const __m128i beyond = _mm_or_si128(are_between(bytes, 0xC3, 0xDF), are(bytes, '\xE1'));
        const auto words = static_cast<unsigned>(
            _mm_movemask_epi8(_mm_or_si128(letters, _mm_or_si128(signs, beyond))));
        if (words != 0) {
            return size + static_cast<std::size_t>(std::countr_zero(words));
        }
    }
#endif
    while (at + size < text.size() && kWordBytes[byte_at(text, at + size)] != 1) {
        out[size] = text[at + size];
        ++size;
    }
    return size;
}

}  // namespace

std::string fold_case(std::string_view text) {
    std::string folded(text);
    for (char& byte : folded) {
        byte = static_cast<char>(byte + (byte >= 'A' && byte <= 'Z' ? 'a' - 'A' : 0));
    }
    for (std::size_t at = 0; at < folded.size();) {
        if (kFoldBytes[byte_at(folded, at)] == 1) {
            at = fold_at(folded, at);
            continue;
        }
        const std::size_t next = find_capital(folded, at);
        // In valid UTF-8 no lead byte of three stands one or two bytes before another character. If
        // one does, find the character boundaries step by step.
        const bool is_broken = next < folded.size() && next > at &&
                               (kFoldBytes[byte_at(folded, next - 1)] >= 2 ||
                                (next - at > 1 && kFoldBytes[byte_at(folded, next - 2)] >= 2));
        if (is_broken) {
            while (at < next) {
                at = fold_at(folded, at);
            }
        } else {
            at = next;
        }
        if (at < folded.size()) {
            at = fold_at(folded, at);
        }
    }
    return folded;
}

std::string fold_case_and_width(std::string_view text) {
    std::string folded = fold_case(text);
    // fold_case() left only the small full-width letters, U+FF41 (EF BD 81) to U+FF5A.
    std::size_t out = 0;
    for (std::size_t at = 0; at < folded.size(); ++at) {
        const bool wide = folded[at] == '\xEF' && at + 2 < folded.size() &&
                          folded[at + 1] == '\xBD' && folded[at + 2] >= '\x81' &&
                          folded[at + 2] <= '\x9A';
        if (wide) {
            folded[out++] = static_cast<char>('a' + (folded[at + 2] - '\x81'));
            at += 2;
        } else {
            folded[out++] = folded[at];
        }
    }
    folded.resize(out);
    return folded;
}

LetterCases letter_cases(char32_t letter) noexcept {
    LetterCases cases{{letter}, 1};
    const auto add = [&cases](char32_t c) {
        if (std::ranges::find(cases.view(), c) == cases.view().end() &&
            cases.size < cases.letters.size()) {
            cases.letters[cases.size++] = c;
        }
    };
    if (letter < 0x80) {
        if (is_between(letter | 0x20U, 'a', 'z')) {
            add(letter ^ 0x20U);
        }
        return cases;
    }
    const char32_t low = small(letter);
    add(low);
    // The capital is the letter at one of these distances whose small letter it is.
    constexpr std::array<char32_t, 8> kDistances = {1, 32, 37, 38, 48, 63, 64, 80};
    for (const char32_t distance : kDistances) {
        if (low > 0x80 + distance && small(low - distance) == low) {
            add(low - distance);
        }
    }
    if (low == 0xFF) {
        add(0x178);
    }
    if (low == 0x3C3) {
        add(0x3C2);
    }
    return cases;
}

std::string mark_words(std::string_view text) {
    std::string marked;
    // At most two marks for a character of two bytes, and for an ASCII character.
    marked.resize_and_overwrite(3 * text.size(), [text](char* begin, std::size_t) {
        char* out = begin;
        bool before_is_word = false;  // the character before is an ASCII letter, digit or _
        for (std::size_t i = 0; i < text.size();) {
            // Fast path of Chinese text: long runs without a word.
            if (byte_at(text, i) >= 0x80) {
                const std::size_t others = copy_others(text, i, out);
                if (others > 0) {
                    out += others;
                    i += others;
                    before_is_word = false;
                    continue;
                }
            }
            const bool is_ascii = byte_at(text, i) < 0x80;
            const bool is_letter = kWordBytes[byte_at(text, i)] == 1;
            *out = '\x02';
            out += is_letter && !before_is_word ? 1 : 0;
            *out++ = text[i++];
            while (!is_ascii && i < text.size() && kWordBytes[byte_at(text, i)] == 2) {
                *out++ = text[i++];
            }
            const bool next_is_word =
                i < text.size() && byte_at(text, i) < 0x80 && kWordBytes[byte_at(text, i)] == 1;
            *out = '\x01';
            out += is_letter && !next_is_word ? 1 : 0;
            before_is_word = is_ascii && is_letter;
        }
        return static_cast<std::size_t>(out - begin);
    });
    return marked;
}

}  // namespace arbiter::text
