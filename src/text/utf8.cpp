#include "text/utf8.h"

#include <algorithm>
#include <array>
#include <cstring>

#if defined(__SSSE3__)
#include <tmmintrin.h>
#endif

namespace arbiter::text {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080ULL;

std::uint8_t byte_at(std::string_view bytes, std::size_t i) noexcept {
    return static_cast<std::uint8_t>(bytes[i]);
}

bool is_further(std::uint8_t byte) noexcept {
    return (byte & 0xC0U) == 0x80;
}

// The valid range of the second byte of a sequence, by its first byte; all later bytes are 80..BF.
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

#if defined(__SSSE3__)
// Sixteen bytes at a time, after Keiser and Lemire, "Validating UTF-8 in less than one instruction
// per byte": three half bytes of a byte and its predecessor each select a set of possible errors,
// one bit for each kind; a bit in all three sets is an error.
class Blocks {
  public:
    // The number of valid bytes before an error or the incomplete last block, rounded down to a
    // character boundary (not necessarily the last one).
    static std::size_t skip_valid(std::string_view bytes) noexcept {
        std::size_t at = 0;
        __m128i before = _mm_setzero_si128();
        for (; at + 16 <= bytes.size(); at += 16) {
            const __m128i block =
                _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes.data() + at));
            const bool plain = _mm_movemask_epi8(_mm_or_si128(block, before)) == 0;
            if (!plain && has_error(block, before)) {
                break;
            }
            before = block;
        }
        // An error is detected at the last byte of its sequence at the latest.
        at -= std::min<std::size_t>(at, 3);
        while (at > 0 && is_further(byte_at(bytes, at))) {
            --at;
        }
        return at;
    }

  private:
    enum : std::uint8_t {
        kTooShort = 1 << 0,      // a lead byte without a continuation byte
        kTooLong = 1 << 1,       // a continuation byte behind ASCII
        kOverlong3 = 1 << 2,     // E0 with less than A0
        kTooLarge = 1 << 3,      // F4 with more than 8F, F5 and beyond
        kSurrogate = 1 << 4,     // ED with more than 9F
        kOverlong2 = 1 << 5,     // C0, C1
        kTooLarge1000 = 1 << 6,  // F5 and beyond with 80 to 8F
        kOverlong4 = 1 << 6,     // F0 with less than 90
        kTwoFurther = 1 << 7,    // two continuation bytes: valid only behind E0 and above
        kCarry = kTooShort | kTooLong | kTwoFurther
    };
    static __m128i table(const std::array<std::uint8_t, 16>& rows) noexcept {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows.data()));
    }
    static __m128i high_half(__m128i block) noexcept {
        return _mm_and_si128(_mm_srli_epi16(block, 4), _mm_set1_epi8(0x0F));
    }

    static bool has_error(__m128i block, __m128i before) noexcept {
        constexpr std::uint8_t kLarge = kCarry | kTooLarge | kTooLarge1000;
        constexpr std::uint8_t kFurther = kTooLong | kOverlong2 | kTwoFurther;
        static constexpr std::array<std::uint8_t, 16> kFirstHigh = {
            kTooLong,
            kTooLong,
            kTooLong,
            kTooLong,
            kTooLong,
            kTooLong,
            kTooLong,
            kTooLong,
            kTwoFurther,
            kTwoFurther,
            kTwoFurther,
            kTwoFurther,
            kTooShort | kOverlong2,
            kTooShort,
            kTooShort | kOverlong3 | kSurrogate,
            kTooShort | kTooLarge | kTooLarge1000 | kOverlong4};
        static constexpr std::array<std::uint8_t, 16> kFirstLow = {
            kCarry | kOverlong3 | kOverlong2 | kOverlong4,
            kCarry | kOverlong2,
            kCarry,
            kCarry,
            kCarry | kTooLarge,
            kLarge,
            kLarge,
            kLarge,
            kLarge,
            kLarge,
            kLarge,
            kLarge,
            kLarge,
            kLarge | kSurrogate,
            kLarge,
            kLarge};
        static constexpr std::array<std::uint8_t, 16> kSecondHigh = {
            kTooShort,
            kTooShort,
            kTooShort,
            kTooShort,
            kTooShort,
            kTooShort,
            kTooShort,
            kTooShort,
            kFurther | kOverlong3 | kTooLarge1000 | kOverlong4,
            kFurther | kOverlong3 | kTooLarge,
            kFurther | kSurrogate | kTooLarge,
            kFurther | kSurrogate | kTooLarge,
            kTooShort,
            kTooShort,
            kTooShort,
            kTooShort};
        const __m128i first = _mm_alignr_epi8(block, before, 15);
        const __m128i pairs = _mm_and_si128(
            _mm_and_si128(
                _mm_shuffle_epi8(table(kFirstHigh), high_half(first)),
                _mm_shuffle_epi8(table(kFirstLow), _mm_and_si128(first, _mm_set1_epi8(0x0F)))),
            _mm_shuffle_epi8(table(kSecondHigh), high_half(block)));
        // Offsets that must be continuation bytes: second behind E0 and above, third behind F0 and
        // above.
        const __m128i third = _mm_subs_epu8(_mm_alignr_epi8(block, before, 14),
                                            _mm_set1_epi8(static_cast<char>(0xE0 - 0x80)));
        const __m128i fourth = _mm_subs_epu8(_mm_alignr_epi8(block, before, 13),
                                             _mm_set1_epi8(static_cast<char>(0xF0 - 0x80)));
        const __m128i must =
            _mm_and_si128(_mm_or_si128(third, fourth), _mm_set1_epi8(static_cast<char>(0x80)));
        const __m128i errors = _mm_xor_si128(must, pairs);
        return _mm_movemask_epi8(_mm_cmpeq_epi8(errors, _mm_setzero_si128())) != 0xFFFF;
    }
};
#endif

}  // namespace

Decoded decode(std::string_view bytes) noexcept {
    if (bytes.empty()) {
        return {};
    }
    const std::uint8_t first = byte_at(bytes, 0);
    if (first < 0x80) {
        return {first, 1, true};
    }
    // Most characters of Chinese text.
    if (first >= 0xE1 && first <= 0xEC && bytes.size() >= 3) {
        const std::uint8_t second = byte_at(bytes, 1);
        const std::uint8_t third = byte_at(bytes, 2);
        if ((second & 0xC0U) == 0x80 && (third & 0xC0U) == 0x80) {
            const char32_t high = ((first & 0xFU) << 12U) | ((second & 0x3FU) << 6U);
            return {high | (third & 0x3FU), 3, true};
        }
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
#if defined(__SSSE3__)
    if (bytes.size() >= 16) {
        i = Blocks::skip_valid(bytes);
    }
#endif
    while (i < bytes.size()) {
        if (byte_at(bytes, i) < 0x80) {
            std::uint64_t block = 0;
            while (i + sizeof block <= bytes.size()) {
                std::memcpy(&block, bytes.data() + i, sizeof block);
                if ((block & kHighBits) != 0) {
                    break;
                }
                i += sizeof block;
            }
            while (i < bytes.size() && byte_at(bytes, i) < 0x80) {
                ++i;
            }
            continue;
        }
        // Fast path: three bytes whose first allows any second, as in most Chinese text.
        if (const std::uint8_t first = byte_at(bytes, i);
            i + 3 <= bytes.size() && first > 0xE0 && first < 0xF0 && first != 0xED &&
            is_further(byte_at(bytes, i + 1)) && is_further(byte_at(bytes, i + 2))) {
            i += 3;
            continue;
        }
        const Decoded next = decode(bytes.substr(i, 4));
        if (!next.valid) {
            return i;
        }
        i += next.size;
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

std::string to_utf8(std::string bytes) {
    return is_valid(bytes) ? bytes : repair(bytes);
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
