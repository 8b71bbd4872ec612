// The built-in meanings of tags, and the meanings that a protocol may give them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "proposal/instruction.h"
#include "reader/reader.h"
#include "writer/writer.h"

namespace arbiter::protocol::internal {

// `execute_script`, `display`, …; nothing for an unknown word.
std::optional<reader::TagMeaning> find_behavior(std::string_view word) noexcept;
std::string all_behaviors();

struct OwnMeaning {
    std::string_view tag;
    reader::TagMeaning meaning;
    std::optional<proposal::Dialect> dialect;  // must be read for it
};
// nullptr for a tag without a built-in meaning. Case-insensitive.
const OwnMeaning* own_meaning(std::string_view tag) noexcept;

bool same_tag(std::string_view a, std::string_view b) noexcept;
// True for letters of any script, digits, _ and -, as the reader accepts them.
bool is_tag_name(std::string_view text) noexcept;

proposal::Dialect dialect_of(writer::Form form) noexcept;

}  // namespace arbiter::protocol::internal
