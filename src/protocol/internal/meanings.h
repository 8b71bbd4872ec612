// What tags mean to the reader by themselves, and what a protocol may make of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "proposal/instruction.h"
#include "reader/reader.h"
#include "writer/writer.h"

namespace arbiter::protocol::internal {

// `execute_script`, `display`, …; nothing for a word that is none.
std::optional<reader::TagMeaning> find_behavior(std::string_view word) noexcept;
std::string all_behaviors();

struct OwnMeaning {
    std::string_view tag;
    reader::TagMeaning meaning;
    std::optional<proposal::Dialect> dialect;  // that must be read for it
};
// Or nullptr for a tag that the reader does not know by itself. Any case.
const OwnMeaning* own_meaning(std::string_view tag) noexcept;

bool same_tag(std::string_view a, std::string_view b) noexcept;
// Letters of any script, digits, _ and -; as the reader takes them.
bool is_tag_name(std::string_view text) noexcept;

proposal::Dialect dialect_of(writer::Form form) noexcept;

}  // namespace arbiter::protocol::internal
