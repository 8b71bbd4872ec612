// Case folding and word boundaries, for finding names in prose. Pure functions.
//
// Capital letters of Latin, Greek, Cyrillic, Armenian and full-width Latin become small letters,
// one character for one; ß and the Turkish letters are unchanged. fold_case() keeps the length of
// the text, so that an offset in the folded text is an offset in the text. Accepts any bytes; bytes
// that are not UTF-8 are unchanged.
#pragma once

#include <string>
#include <string_view>

namespace arbiter::text {

[[nodiscard]] std::string fold_case(std::string_view text);

// As fold_case(), and full-width Latin letters become ASCII letters, since authors mix both. The
// length of the text may change.
[[nodiscard]] std::string fold_case_and_width(std::string_view text);

// A copy with \x01 at every boundary of a word of an alphabet. A marked name occurs in a marked
// text only as whole words: `\x01cat\x01` is not in `\x01cats\x01`. Scripts that are written
// without spaces (Chinese, kana, hangul and others) have no words in this sense, so 王cat王
// contains cat, and their names are found inside sentences.
[[nodiscard]] std::string mark_words(std::string_view text);

}  // namespace arbiter::text
