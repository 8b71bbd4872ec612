// The table of tags: what each tag of a reply means. Built in, and extended by the hints of the
// protocols that are active; fixed for a reply.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reader/reader.h"

namespace arbiter::reader::internal {

// What a block of commands is written in. Several tags have one meaning.
enum class Block : std::uint8_t {
    kNone,
    kUpdate,       // <variable_update>, <state_update>, <UpdateVariable>: commands of many forms
    kMemory,       // <updateMemory>
    kPatch,        // <JSONPatch>
    kInsert,       // <variable_insert>
    kEdit,         // <variable_edit>
    kRemove,       // <variable_delete>
    kToolCall,     // <tool_call>
    kUseProtocol,  // <use_protocol>
    kEndProtocol,  // <end_protocol>
    kScript        // a tag that a hint made executable
};

// Whether a block names a protocol instead of holding commands.
constexpr bool is_about_protocol(Block block) noexcept {
    return block == Block::kUseProtocol || block == Block::kEndProtocol;
}

struct Tag {
    std::string name;  // lower case
    TagMeaning meaning;
    Block block = Block::kNone;
    // Tags of one family close each other: <think> … </thinking>.
    std::uint8_t family = 0;
    bool foreign = false;  // a block of a dialect that is not read: stays in the text
};

class TagTable {
  public:
    explicit TagTable(const Options& options);

    // A tag by its name, in any case.
    [[nodiscard]] const Tag* find(std::string_view name) const noexcept;
    // Some tag's name begins with this.
    [[nodiscard]] bool is_beginning(std::string_view name) const noexcept;

  private:
    void add(Tag tag);
    std::vector<Tag> tags_;
};

// <name attributes> or </name> or <name/>, as far as it can be read.
struct TagText {
    std::string_view name;
    std::string_view attributes;
    std::size_t size = 0;  // bytes, with the brackets
    bool closing = false;
    bool empty = false;  // <name/>
};
enum class TagScan : std::uint8_t {
    kNo,
    kMore,
    kTag,
    kCut  // the reply ended inside a tag of the table
};
// `text` begins with <. kMore only while it may still become a tag of the table.
TagScan scan_tag(std::string_view text, const TagTable& table, bool finished, TagText& tag);

// The value of an attribute, without its quotes.
std::optional<std::string_view> attribute(std::string_view attributes, std::string_view name);

}  // namespace arbiter::reader::internal
