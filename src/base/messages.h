// The message catalogue: every error code in English and in Chinese.
//
// A message says what was wrong and what would have worked. Pure functions, safe from any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace arbiter::base {

enum class Language : std::uint8_t { kEnglish, kChinese };

struct Message {
    ErrorCode code;
    std::string_view name;     // the machine word, e.g. "json_bad_number"
    std::string_view english;  // {0}, {1} … stand for the error's arguments
    std::string_view chinese;
};

// All messages, one for each ErrorCode, in the order of the enum.
std::span<const Message> messages() noexcept;

std::string_view name(ErrorCode code) noexcept;

// One sentence, without the place.
std::string explain(const Error& error, Language language);

// "line 3, column 7" or "第 3 行第 7 列".
std::string explain(const Place& place, Language language);

// Replaces {0}, {1} … in `pattern`; a number without an argument stays as it is. Between a Chinese
// character of the pattern and an argument that begins or ends in ASCII stands a blank.
std::string format_message(std::string_view pattern, std::span<const std::string> arguments);

}  // namespace arbiter::base
