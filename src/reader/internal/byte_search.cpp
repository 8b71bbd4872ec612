#include "reader/internal/byte_search.h"

#include "reader/internal/byte_set.h"
#include "reader/internal/glyph.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace arbiter::reader::internal {
namespace {

constexpr ByteSet kQuoteMarks("\n\"`<-/*\xE2\xE3");

template <typename IsHit>
std::size_t find(std::string_view text, std::size_t at, IsHit is_hit) noexcept {
    while (at < text.size() && !is_hit(at)) {
        ++at;
    }
    return at;
}

#if defined(__SSE2__)
// Sixteen bytes; the methods return masks.
class Bytes {
  public:
    explicit Bytes(const char* bytes) noexcept
        : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes))) {}
    [[nodiscard]] __m128i are(char c) const noexcept {
        return _mm_cmpeq_epi8(bytes_, _mm_set1_epi8(c));
    }
    // Compares with `bit` set in each byte, for two characters that differ in that bit.
    [[nodiscard]] __m128i are_with(char bit, char c) const noexcept {
        return _mm_cmpeq_epi8(_mm_or_si128(bytes_, _mm_set1_epi8(bit)), _mm_set1_epi8(c));
    }
    [[nodiscard]] __m128i are_letters() const noexcept {
        const __m128i lower = _mm_or_si128(bytes_, _mm_set1_epi8(0x20));
        return _mm_and_si128(_mm_cmpgt_epi8(lower, _mm_set1_epi8('a' - 1)),
                             _mm_cmpgt_epi8(_mm_set1_epi8('z' + 1), lower));
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

// As find(), while sixteen bytes are left. `hits` is the mask of candidates in a block; `is_hit`
// confirms each.
template <typename IsHit, typename Hits>
std::size_t find_in_blocks(std::string_view text, std::size_t at, IsHit is_hit,
                           Hits hits) noexcept {
    for (; at + 16 <= text.size(); at += 16) {
        auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits(text.data() + at)));
        for (; mask != 0; mask &= mask - 1) {
            const std::size_t hit = at + static_cast<std::size_t>(__builtin_ctz(mask));
            if (is_hit(hit)) {
                return hit;
            }
        }
    }
    return at;
}
#endif

}  // namespace

std::size_t find_block_start(std::string_view text, std::size_t at) noexcept {
    const auto is_hit = [text](std::size_t i) {
        // The last bytes of the wide brackets also occur in many other characters.
        return kBlockStarts.has(text[i]) && (static_cast<unsigned char>(text[i]) < 0x80 ||
                                             (i >= 2 && starts_wide_block(text.substr(i - 2, 3))));
    };
#if defined(__SSE2__)
    // The mask also needs the byte before a block.
    if (at == 0 && !text.empty() && !is_hit(0)) {
        ++at;
    }
    if (at > 0) {
        at = find_in_blocks(text, at, is_hit, [](const char* place) {
            const Bytes bytes(place);
            const Bytes before(place - 1);
            // （ and ［, ｛, 【
            const __m128i wide =
                any(_mm_and_si128(any(bytes.are('\x88'), bytes.are('\xBB')), before.are('\xBC')),
                    _mm_and_si128(bytes.are('\x9B'), before.are('\xBD')),
                    _mm_and_si128(bytes.are('\x90'), before.are('\x80')));
            // { and [ differ in one bit.
            return any(bytes.are_with(0x20, '{'), bytes.are('<'), bytes.are('`'), bytes.are('~'),
                       bytes.are('('), bytes.are('|'), wide);
        });
    }
#endif
    return find(text, at, is_hit);
}

std::size_t find_quote_mark(std::string_view text) noexcept {
    const auto is_hit = [text](std::size_t i) { return kQuoteMarks.has(text[i]); };
    std::size_t at = 0;
#if defined(__SSE2__)
    at = find_in_blocks(text, at, is_hit, [](const char* place) {
        const Bytes bytes(place);
        return any(bytes.are('\n'), bytes.are('"'), bytes.are('`'), bytes.are('<'), bytes.are('-'),
                   bytes.are('/'), bytes.are('*'), bytes.are_with(1, '\xE3'));
    });
#endif
    return find(text, at, is_hit);
}

std::size_t find_string_mark(std::string_view text, std::size_t at, char quote) noexcept {
    const auto is_hit = [text, quote](std::size_t i) {
        return text[i] == quote || text[i] == '\\' || text[i] == '\n';
    };
#if defined(__SSE2__)
    at = find_in_blocks(text, at, is_hit, [quote](const char* place) {
        const Bytes bytes(place);
        return any(bytes.are(quote), bytes.are('\\'), bytes.are('\n'));
    });
#endif
    return find(text, at, is_hit);
}

NameRun name_run_at_end(std::string_view text) noexcept {
#if defined(__SSE2__)
    // Without a loop: word lengths are unpredictable, and a misprediction costs more than this.
    if (text.size() >= 16) {
        const Bytes bytes(text.data() + text.size() - 16);
        const __m128i marks = any(bytes.are('.'), bytes.are('*'));
        const __m128i names = any(bytes.are_letters(), bytes.are('_'), marks);
        const unsigned others = ~static_cast<unsigned>(_mm_movemask_epi8(names)) & 0xFFFFU;
        if (others != 0) {
            const auto behind = static_cast<unsigned>(32 - __builtin_clz(others));
            const unsigned in_run = static_cast<unsigned>(_mm_movemask_epi8(marks)) >> behind;
            return {16 - behind, in_run != 0};
        }
    }
#endif
    NameRun run;
    while (run.size < text.size() && run.size < kNameRunMax) {
        const char c = text[text.size() - run.size - 1];
        if (!is_letter(c) && c != '_' && c != '.' && c != '*') {
            break;
        }
        run.has_marks = run.has_marks || c == '.' || c == '*';
        ++run.size;
    }
    return run;
}

}  // namespace arbiter::reader::internal
