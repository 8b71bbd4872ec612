#include "text/utf8.h"

#include <algorithm>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace arbiter::text {
namespace {

std::uint8_t byte_at(std::string_view bytes, std::size_t i) noexcept {
    return static_cast<std::uint8_t>(bytes[i]);
}

// The bounds that the second byte of a sequence must keep, by its first byte; the rest is 80..BF.
struct Lead {
    std::uint8_t size;
    std::uint8_t low;
    std::uint8_t high;
};
Lead lead(std::uint8_t first) noexcept {
    if (first < 0xC2 || first > 0xF4) {
        return {0, 0, 0};
    }
    if (first < 0xE0) {
        return {2, 0x80, 0xBF};
    }
    if (first < 0xF0) {
        const std::uint8_t low = first == 0xE0 ? 0xA0 : 0x80;
        const std::uint8_t high = first == 0xED ? 0x9F : 0xBF;
        return {3, low, high};
    }
    const std::uint8_t low = first == 0xF0 ? 0x90 : 0x80;
    const std::uint8_t high = first == 0xF4 ? 0x8F : 0xBF;
    return {4, low, high};
}

// Passes over what is certainly valid: runs of ASCII, and of characters of three bytes, of which
// Chinese text consists. Where it stops, somebody has to look closer.
std::size_t skip_valid(std::string_view bytes, std::size_t at) noexcept {
#if defined(__SSE2__)
    // Five characters of three bytes; the sixteenth byte is left for the next round.
    constexpr unsigned kFifteen = 0x7FFF;
    const __m128i marks =
        _mm_set_epi8(0, -64, -64, -16, -64, -64, -16, -64, -64, -16, -64, -64, -16, -64, -64, -16);
    const __m128i three = _mm_set_epi8(0, -128, -128, -32, -128, -128, -32, -128, -128, -32, -128,
                                       -128, -32, -128, -128, -32);
    while (at + 16 <= bytes.size()) {
        const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes.data() + at));
        if (_mm_movemask_epi8(block) == 0) {
            at += 16;
            continue;
        }
        const auto is = [block](char c) { return _mm_cmpeq_epi8(block, _mm_set1_epi8(c)); };
        const __m128i shaped = _mm_cmpeq_epi8(_mm_and_si128(block, marks), three);
        // Behind E0 and ED not every second byte is allowed.
        const __m128i doubtful = _mm_or_si128(is('\xE0'), is('\xED'));
        const auto good =
            static_cast<unsigned>(_mm_movemask_epi8(_mm_andnot_si128(doubtful, shaped)));
        if ((good & kFifteen) != kFifteen) {
            break;
        }
        at += 15;
    }
#else
    constexpr std::uint64_t kHighBits = 0x8080808080808080ULL;
    std::uint64_t block = 0;
    while (at + sizeof block <= bytes.size()) {
        std::memcpy(&block, bytes.data() + at, sizeof block);
        if ((block & kHighBits) != 0) {
            break;
        }
        at += sizeof block;
    }
#endif
    return at;
}

}  // namespace

Decoded decode(std::string_view bytes) noexcept {
    if (bytes.empty()) {
        return {};
    }
    const std::uint8_t first = byte_at(bytes, 0);
    if (first < 0x80) {
        return {first, 1, true};
    }
    const Lead shape = lead(first);
    if (shape.size == 0) {
        return {kReplacement, 1, false};
    }
    char32_t code_point = first & (0x7FU >> shape.size);
    for (std::uint8_t i = 1; i < shape.size; ++i) {
        const std::uint8_t low = i == 1 ? shape.low : 0x80;
        const std::uint8_t high = i == 1 ? shape.high : 0xBF;
        if (i >= bytes.size() || byte_at(bytes, i) < low || byte_at(bytes, i) > high) {
            return {kReplacement, i, false};
        }
        code_point = (code_point << 6) | (byte_at(bytes, i) & 0x3FU);
    }
    return {code_point, shape.size, true};
}

void append(std::string& out, char32_t code_point) {
    if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point < 0xE000)) {
        code_point = kReplacement;
    }
    const auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (code_point < 0x80) {
        put(code_point);
    } else if (code_point < 0x800) {
        put(0xC0 | (code_point >> 6));
        put(0x80 | (code_point & 0x3F));
    } else if (code_point < 0x10000) {
        put(0xE0 | (code_point >> 12));
        put(0x80 | ((code_point >> 6) & 0x3F));
        put(0x80 | (code_point & 0x3F));
    } else {
        put(0xF0 | (code_point >> 18));
        put(0x80 | ((code_point >> 12) & 0x3F));
        put(0x80 | ((code_point >> 6) & 0x3F));
        put(0x80 | (code_point & 0x3F));
    }
}

std::size_t find_invalid(std::string_view bytes) noexcept {
    std::size_t i = 0;
    while (i < bytes.size()) {
        i = skip_valid(bytes, i);
        // A few characters one by one: what stopped there, and often what follows it.
        for (const std::size_t until = std::min(i + 16, bytes.size()); i < until;) {
            if (byte_at(bytes, i) < 0x80) {
                ++i;
                continue;
            }
            const Decoded next = decode(bytes.substr(i, 4));
            if (!next.valid) {
                return i;
            }
            i += next.size;
        }
    }
    return std::string_view::npos;
}

std::string repair(std::string_view bytes) {
    std::string out;
    out.reserve(bytes.size());
    while (!bytes.empty()) {
        const std::size_t good = std::min(find_invalid(bytes), bytes.size());
        out.append(bytes.substr(0, good));
        bytes.remove_prefix(good);
        if (!bytes.empty()) {
            append(out, kReplacement);
            bytes.remove_prefix(decode(bytes.substr(0, 4)).size);
        }
    }
    return out;
}

std::size_t count(std::string_view valid) noexcept {
    return static_cast<std::size_t>(std::count_if(valid.begin(), valid.end(), [](char c) {
        return (static_cast<std::uint8_t>(c) & 0xC0U) != 0x80U;
    }));
}

int compare_utf16(std::string_view left, std::string_view right) noexcept {
    const std::size_t shared = std::min(left.size(), right.size());
    const auto [l, r] = std::mismatch(
        left.begin(), left.begin() + static_cast<std::ptrdiff_t>(shared), right.begin());
    const auto i = static_cast<std::size_t>(l - left.begin());
    if (i == shared) {
        return left.size() < right.size() ? -1 : left.size() > right.size() ? 1 : 0;
    }
    auto a = static_cast<std::uint8_t>(*l);
    auto b = static_cast<std::uint8_t>(*r);
    // U+10000 and beyond (lead F0…F4) are surrogate pairs from D800 up: before U+E000…U+FFFF,
    // whose leads are EE and EF.
    const auto is_high_bmp = [](std::uint8_t byte) { return byte == 0xEE || byte == 0xEF; };
    if ((a >= 0xF0) != (b >= 0xF0) && (is_high_bmp(a) || is_high_bmp(b))) {
        return a >= 0xF0 ? -1 : 1;
    }
    return a < b ? -1 : 1;
}

}  // namespace arbiter::text
