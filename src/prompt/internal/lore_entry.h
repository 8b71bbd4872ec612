// Parsing of lorebook entries.
#pragma once

#include <string>
#include <string_view>

#include "prompt/lore.h"

namespace arbiter::prompt::internal {

// The entries of a lorebook inside its wrappers; nullptr: none.
const value::Value* entries_of(const value::Value& written);
// Settings of a book on top of those of the campaign, and its token budget.
struct BookSettings {
    LoreSettings settings;
    std::size_t budget = 0;
};
BookSettings book_settings(const value::Value& written, const LoreSettings& settings);

// The place of an entry in its book.
struct EntryPlace {
    std::string id;
    std::int64_t rank = 0;
    bool in_list = false;  // as in the books of cards, which have other defaults
};
// Total: a mistake is a diagnostic below `path`, and the field keeps its default.
LoreEntry parse_entry(const value::Value& written, EntryPlace place, const value::Path& path,
                      value::Diagnostics& diagnostics);

// Card fields that entries can search; their indexes are the bits of LoreEntry::texts.
std::span<const std::string_view> searched_texts() noexcept;

}  // namespace arbiter::prompt::internal
