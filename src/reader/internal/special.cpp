#include "reader/internal/special.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace arbiter::reader::internal {
namespace {

bool is_special(char c) {
    return c == '<' || c == '`' || c == '~' || c == '{' || c == '[' || c == '(' || c == '\x88';
}

}  // namespace

std::size_t find_special(std::string_view text, std::size_t at) noexcept {
#if defined(__SSE2__)
    while (at + 16 <= text.size()) {
        const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + at));
        const auto is = [block](char c) { return _mm_cmpeq_epi8(block, _mm_set1_epi8(c)); };
        // { and [ differ in one bit, ` and ~ do not; the rest stand alone.
        const __m128i folded = _mm_or_si128(block, _mm_set1_epi8(0x20));
        const __m128i brackets = _mm_cmpeq_epi8(folded, _mm_set1_epi8('{'));
        const __m128i hits = _mm_or_si128(
            _mm_or_si128(_mm_or_si128(brackets, is('<')), _mm_or_si128(is('`'), is('~'))),
            _mm_or_si128(is('('), is('\x88')));
        const auto mask = static_cast<unsigned>(_mm_movemask_epi8(hits));
        if (mask != 0) {
            return at + static_cast<std::size_t>(__builtin_ctz(mask));
        }
        at += 16;
    }
#endif
    while (at < text.size() && !is_special(text[at])) {
        ++at;
    }
    return at;
}

}  // namespace arbiter::reader::internal
