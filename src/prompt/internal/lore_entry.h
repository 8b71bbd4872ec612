// One entry of a book as it was written → LoreEntry.
#pragma once

#include <string>
#include <string_view>

#include "prompt/lore.h"

namespace arbiter::prompt::internal {

// Where the entries of a book are, whatever is around them; nullptr: it has none.
const value::Value* entries_of(const value::Value& written);
// Settings of the book itself over those of the campaign, and tokens that it may have.
struct BookSettings {
    LoreSettings settings;
    std::size_t budget = 0;
};
BookSettings book_settings(const value::Value& written, const LoreSettings& settings);

// Total: whatever is wrong is a fault at a path below `path`, and as if it were not there.
LoreEntry parse_entry(const value::Value& written, std::string id, const value::Path& path,
                      value::Diagnostics& diagnostics);

// Names of texts of the card that entries may look into; their places are the bits of
// LoreEntry::texts.
std::span<const std::string_view> searched_texts() noexcept;

}  // namespace arbiter::prompt::internal
