// Renders errors as sentences for people, in English or Chinese. Pure functions, safe from any
// thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace arbiter::base {

enum class Language : std::uint8_t { kEnglish, kChinese };

// One sentence, without the place.
std::string explain(const Error& error, Language language);

// "line 3, column 7" or "第 3 行第 7 列".
std::string explain(const Place& place, Language language);

// Replaces {0}, {1} … in `pattern`; a number without an argument stays as it is. Between a Chinese
// character of the pattern and an argument that begins or ends in ASCII stands a blank.
std::string format_message(std::string_view pattern, std::span<const std::string> arguments);

}  // namespace arbiter::base
