// The characters of scripts, for \p{Han} and the like in regular expressions (Unicode 15).
#pragma once

#include <span>
#include <string_view>

#include "text/regex.h"

namespace arbiter::text::internal {

// Ascending. Empty: the name is not one of Han, Hiragana, Katakana, Hangul, Bopomofo, Latin, Greek,
// Cyrillic, or the short form of one (Hani, Hira, Kana, Hang, Bopo, Latn, Grek, Cyrl).
std::span<const Regex::Range> script_ranges(std::string_view name) noexcept;

}  // namespace arbiter::text::internal
