// Small facts about YAML text: places in it, what it may not contain, what messages show of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace arbiter::config::internal {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// How the tags of the core schema begin.
inline constexpr std::string_view kCoreTag = "tag:yaml.org,2002:";

// The text up to the offset must be valid UTF-8.
base::Place place_in(std::string_view text, std::size_t offset);

// Where a character stands that YAML does not allow, which the library would take as the end.
std::optional<std::size_t> find_forbidden(std::string_view text);
std::string code_point_name(char32_t c);  // "U+0004"

// What a message may show of words that contain pieces of the text.
std::string harmless(std::string_view words);
std::string shown_tag(std::string_view tag);

}  // namespace arbiter::config::internal
