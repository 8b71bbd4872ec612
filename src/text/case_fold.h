// Case folding and word boundaries, for finding names in prose. Pure functions.
//
// Capital letters of Latin, Greek, Cyrillic, Armenian and full-width Latin become small letters,
// one character for one; ß and the Turkish letters are unchanged. fold_case() keeps the length of
// the text, so that an offset in the folded text is an offset in the text. Accepts any bytes; bytes
// that are not UTF-8 are unchanged.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace arbiter::text {

[[nodiscard]] std::string fold_case(std::string_view text);

// As fold_case(), and full-width Latin letters become ASCII letters, since authors mix both. The
// length of the text may change.
[[nodiscard]] std::string fold_case_and_width(std::string_view text);

// A letter in all its cases, itself first: σ has Σ and ς.
struct LetterCases {
    std::array<char32_t, 3> letters;
    std::size_t size;
    [[nodiscard]] std::span<const char32_t> view() const noexcept { return {letters.data(), size}; }
};
[[nodiscard]] LetterCases letter_cases(char32_t letter) noexcept;

// A copy with marks at the places where a word may begin (\x02) or end (\x01). A marked name occurs
// in a marked text only if no ASCII letter, digit or _ is beside it, as SillyTavern defines
// whole words: cat is not in cats, café not in cafés; дракон is in дракона, caf in café. Only
// letters and digits of alphabets have marks. A name that begins or ends with another character is
// found beside anything at that end: Chinese names inside sentences, and 王cat王 contains cat.
[[nodiscard]] std::string mark_words(std::string_view text);

}  // namespace arbiter::text
