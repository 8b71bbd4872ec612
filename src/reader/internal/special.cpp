#include "reader/internal/special.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace arbiter::reader::internal {
namespace {

#if defined(__SSE2__)
// Sixteen bytes, and which of them are what.
class Bytes {
  public:
    explicit Bytes(const char* bytes) noexcept
        : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes))) {}
    [[nodiscard]] __m128i are(char c) const noexcept {
        return _mm_cmpeq_epi8(bytes_, _mm_set1_epi8(c));
    }
    // Once `bits` are set in each: for two characters that differ in them.
    [[nodiscard]] __m128i are_with(char bits, char c) const noexcept {
        return _mm_cmpeq_epi8(_mm_or_si128(bytes_, _mm_set1_epi8(bits)), _mm_set1_epi8(c));
    }

  private:
    __m128i bytes_;
};

template <typename... Rest>
__m128i any(__m128i first, Rest... rest) noexcept {
    if constexpr (sizeof...(rest) == 0) {
        return first;
    } else {
        return _mm_or_si128(first, any(rest...));
    }
}
#endif

// The first place at or behind `at` where `is_hit` holds for the text. `hits` says the same of
// sixteen bytes at once, and may say it too often.
template <typename Hits, typename IsHit>
std::size_t find(std::string_view text, std::size_t at, [[maybe_unused]] Hits hits,
                 IsHit is_hit) noexcept {
#if defined(__SSE2__)
    for (; at + 16 <= text.size(); at += 16) {
        auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits(Bytes(text.data() + at))));
        for (; mask != 0; mask &= mask - 1) {
            const std::size_t hit = at + static_cast<std::size_t>(__builtin_ctz(mask));
            if (is_hit(hit)) {
                return hit;
            }
        }
    }
#endif
    while (at < text.size() && !is_hit(at)) {
        ++at;
    }
    return at;
}

}  // namespace

std::size_t find_special(std::string_view text, std::size_t at) noexcept {
    return find(
        text, at,
        [](const auto& bytes) {
            // { and [ differ in one bit.
            return any(bytes.are_with(0x20, '{'), bytes.are('<'), bytes.are('`'), bytes.are('~'),
                       bytes.are('('), bytes.are('\x88'));
        },
        [text](std::size_t i) {
            switch (text[i]) {
                case '<':
                case '`':
                case '~':
                case '{':
                case '[':
                case '(':
                    return true;
                case '\x88':
                    // The last byte of （ (EF BC 88), and some byte of many other characters.
                    return i >= 2 && text[i - 1] == '\xBC' && text[i - 2] == '\xEF';
                default:
                    return false;
            }
        });
}

std::size_t find_quote_mark(std::string_view text) noexcept {
    return find(
        text, 0,
        [](const auto& bytes) {
            return any(bytes.are('\n'), bytes.are('"'), bytes.are('`'), bytes.are('<'),
                       bytes.are('-'), bytes.are_with(1, '\xE3'));
        },
        [text](std::size_t i) {
            switch (text[i]) {
                case '\n':
                case '"':
                case '`':
                case '<':
                case '-':
                case '\xE2':
                case '\xE3':
                    return true;
                default:
                    return false;
            }
        });
}

std::size_t find_string_mark(std::string_view text, std::size_t at, char quote) noexcept {
    return find(
        text, at,
        [quote](const auto& bytes) {
            return any(bytes.are(quote), bytes.are('\\'), bytes.are('\n'));
        },
        [text, quote](std::size_t i) {
            return text[i] == quote || text[i] == '\\' || text[i] == '\n';
        });
}

}  // namespace arbiter::reader::internal
