// Keywords: a set of keywords that a text is searched for all at once.
//
// A keyword occurs where its bytes occur, as in JavaScript's `includes`: also inside longer words,
// and case-sensitive. Both sides are UTF-8, so a keyword matches whole characters.
//
// Algorithm: one pass over the text. At each character, the next six bytes (the head) are looked up
// in a hash table behind a bit filter; only keywords with that head are compared further.
// Adversarial input (thousands of keywords with long common prefixes that the text repeats)
// exhausts a step budget proportional to the text; the remaining keywords are then found by binary
// search in a suffix array of the text. A search of n bytes takes O(n) for ordinary text, and at
// worst O(n log n + k (log n) l / 16) with k keywords of l bytes. Adding and removing take time
// proportional to the keyword, plus four bytes moved for each keyword with the same head; growth is
// by doubling.
//
// Memory: 70 to 140 bytes for a keyword of up to 15 bytes, depending on the load of the tables;
// longer texts are stored in addition.
//
// Thread safety: concurrent searches are safe while no thread changes the set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/internal/head_table.h"
#include "text/internal/pool.h"

namespace arbiter::text {

class Keywords {
  public:
    using Id = std::uint64_t;

    // False if nothing changed: the keyword already has the id, is empty, or begins inside a
    // character.
    bool add(std::string_view keyword, Id id);
    // False if the keyword does not have the id.
    bool remove(std::string_view keyword, Id id);

    // The ids of all keywords that occur in the text: each once, in ascending order.
    [[nodiscard]] std::vector<Id> find(std::string_view text) const;
    // The same, or nothing if there are more than `most` ids.
    [[nodiscard]] std::optional<std::vector<Id>> find_few(std::string_view text,
                                                          std::size_t most) const;

    // Keywords that were found in earlier texts, while the set does not change.
    class Seen {
        friend class Keywords;
        std::vector<std::uint64_t> bits_;
    };
    // The ids of the keywords that occur in the text and not in `seen`, which gets them. Many texts
    // together cost the ids of each keyword once, however many texts have it.
    [[nodiscard]] std::vector<Id> find_new(std::string_view text, Seen& seen) const;

    // The number of keywords; each counts once, regardless of its ids.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

  private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    struct Entry {
        std::string text;           // empty: not in use
        Id id = 0;                  // if it has only one
        std::uint32_t ids = kNone;  // else the index in id_lists_; ascending ids
    };
    class Search;

    [[nodiscard]] std::uint32_t entry_of(std::string_view keyword) const;
    // The position of a keyword in the order of a group, present or not.
    [[nodiscard]] std::size_t place_in(const std::vector<std::uint32_t>& group,
                                       std::string_view keyword) const;
    void insert(std::string_view keyword, Id id);
    void erase(std::uint32_t entry);
    bool add_id(Entry& entry, Id id);

    internal::Pool<Entry> entries_;
    internal::Pool<std::vector<Id>> id_lists_;
    // Groups of two or more keywords with the same head, sorted by bytes.
    internal::Pool<std::vector<std::uint32_t>> groups_;
    internal::HeadTable heads_;
    std::size_t size_ = 0;
};

}  // namespace arbiter::text
