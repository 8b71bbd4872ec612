// Case folding, and the edges of words, for looking names up in prose.
//
// Letters of the alphabets that have two cases (Latin, Greek, Cyrillic, Armenian, full-width Latin)
// become small ones, one for one; ß and the Turkish letters stay as they are. No text changes its
// length, so that places in a folded text are places in the text. Any bytes may come; what is no
// UTF-8 stays.
#pragma once

#include <string>
#include <string_view>

namespace arbiter::text {

[[nodiscard]] std::string fold_case(std::string_view text);

// The same, and full-width Latin letters become ASCII, since people mix both. Changes lengths.
[[nodiscard]] std::string fold_case_and_width(std::string_view text);

// A copy with \x01 at every place where a word of an alphabet begins or ends. A name marked like
// that is found in a text marked like that only as whole words: `\x01cat\x01` is not in
// `\x01cats\x01`, and 王cat王 has it, for the scripts that are written without spaces (Chinese,
// kana, hangul and others) have no words in this sense: their names are found inside of sentences.
[[nodiscard]] std::string mark_words(std::string_view text);

}  // namespace arbiter::text
