// Lexicon: the words of the conflict check, by category.
//
// Text format (data/lexicons, embedded): `[category]` opens a section, `#` a comment; commas
// separate entries; `pass/passes out` is an entry for each variant, 断(了/)气 stands for 断了气 and
// 断气; `walk~ off` stands for walk,
// walks, walked and walking off, `grab~~` doubles the last letter. Letters of alphabets match in
// any case and as whole words; the longest entry wins, so [plain] protects harmless phrases (dead
// tired, 死机). A campaign adds words as an object
// {category: [words]}, under `lexicon` of a protocol.
//
// Immutable once built; safe from any thread.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/words.h"
#include "text/phrases.h"
#include "value/value.h"

namespace arbiter::conflict {

using protocol::name;
using protocol::Word;
using Words = std::bitset<static_cast<std::size_t>(Word::kCount)>;

struct ShippedLexicon {
    std::string_view name;  // zh, en
    std::string_view text;
};
// Sorted by name. Generated from data/lexicons.
std::span<const ShippedLexicon> shipped_lexicons() noexcept;

class Lexicon {
  public:
    // Adds the entries of a text. Unknown categories are ignored.
    void add(std::string_view text);
    // Adds {category: [words]}. Anything else is ignored.
    void add(const value::Value& words);

    // The longest entry at `at`, with all of its categories.
    struct Match {
        std::size_t size = 0;
        Words words;
    };
    [[nodiscard]] Match at(std::string_view folded, std::size_t at) const;
    [[nodiscard]] bool has(std::string_view folded, Word word) const;
    // Equal for lexicons to which the same entries were added in the same order.
    [[nodiscard]] std::uint64_t fingerprint() const noexcept { return fingerprint_; }

  private:
    void add_entry(std::string_view entry, Word word);

    text::Phrases phrases_;
    std::vector<Words> words_;  // by the id of a phrase
    std::uint64_t fingerprint_ = 0;
};

// The shipped words of both languages.
const Lexicon& shipped_lexicon();

}  // namespace arbiter::conflict
