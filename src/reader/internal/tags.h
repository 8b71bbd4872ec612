// TagTable: the meaning of each tag in a reply. Built-in tags, and those that the hints of active
// protocols add; fixed for a reply.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reader/internal/scan.h"
#include "reader/reader.h"

namespace arbiter::reader::internal {

// The form of the commands in a block. Several tags share one form.
enum class BlockKind : std::uint8_t {
    kNone,
    kUpdate,       // <variable_update>, <state_update>: commands of many forms
    kMvuUpdate,    // <UpdateVariable>: the same forms, patches as MVU reads them
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

// <StatusPlaceHolderImpl/>: where MVU's cards draw their status bar. Never shown, quoted or not.
inline constexpr std::string_view kStatusBar = "statusplaceholderimpl";

// Whether a block names a protocol instead of holding commands.
constexpr bool is_about_protocol(BlockKind block) noexcept {
    return block == BlockKind::kUseProtocol || block == BlockKind::kEndProtocol;
}

struct Tag {
    std::string name;  // lower case
    TagMeaning meaning;
    BlockKind block = BlockKind::kNone;
    // Tags of one family close each other: <think> … </thinking>.
    std::uint32_t family = 0;
    bool foreign = false;  // of a dialect that is not enabled: stays in the text
    bool hidden = false;   // of a component: it is not to be displayed
};

class TagTable {
  public:
    explicit TagTable(const Options& options);

    // Case-insensitive. Null for an unknown tag.
    [[nodiscard]] const Tag* find(std::string_view name) const;
    // Whether the name of some tag begins with `name`.
    [[nodiscard]] bool has_prefix(std::string_view name) const;

  private:
    // Sorted by name: the first tag whose name is not before `name`.
    [[nodiscard]] std::vector<Tag>::const_iterator from(std::string_view name) const;

    std::vector<Tag> tags_;
};

// The parts of <name attributes>, </name> or <name/>, as far as they were read.
struct TagText {
    std::string_view name;
    std::string_view attributes;
    std::size_t size = 0;  // bytes, with the brackets
    bool closing = false;
    bool empty = false;  // <name/>
    bool cut = false;    // the reply ended inside the tag
};
// `text` begins with <. kDone: `tag` is a complete tag of the table. kMore: it may become one. kNo:
// it is not one, or the reply ended inside it (`tag.cut`).
Scan scan_tag(std::string_view text, const TagTable& table, bool finished, TagText& tag);

// The protocol that <use_protocol id="…"> names, without its quotes; also name="…", in any case.
std::optional<std::string_view> protocol_id(std::string_view attributes);

}  // namespace arbiter::reader::internal
