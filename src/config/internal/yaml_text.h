// YAML text: positions, forbidden characters, and quotations in messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace arbiter::config::internal {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// The prefix of the tags of the core schema.
inline constexpr std::string_view kCoreTag = "tag:yaml.org,2002:";

// The text up to the offset must be valid UTF-8.
base::Place place_in(std::string_view text, std::size_t offset);

// The offset of a character that YAML does not allow; the library would take it for the end.
std::optional<std::size_t> find_forbidden(std::string_view text);
std::string code_point_name(char32_t c);  // "U+0004"

// A message of the library, without control characters of the text that it quotes.
std::string harmless(std::string_view words);
std::string shown_tag(std::string_view tag);

// The error for a place at which the library gave up, in our own words. `message` is the library's,
// `offset` the place in `text`.
base::Error explain_syntax(std::string_view text, std::size_t offset, std::string_view message);

}  // namespace arbiter::config::internal
