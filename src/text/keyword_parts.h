// The keywords of a name. Pure.
#pragma once

#include <string_view>
#include <vector>

namespace arbiter::text {

// The parts of a name that count as its keywords: 张三（线人） has 张三 and 线人. Splits at every
// character that is not a letter, digit or mark of any script. A part of one character counts only
// where one character can be a word (Chinese, kana, hangul). The parts point into the name.
[[nodiscard]] std::vector<std::string_view> keyword_parts(std::string_view name);

}  // namespace arbiter::text
