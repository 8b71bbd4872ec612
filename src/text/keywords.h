// Keywords: a set of keywords that a text is searched for all at once.
//
// A keyword occurs where its bytes do, as JavaScript's `includes` says: inside longer words too,
// and with the same case. Both sides are UTF-8, so that a keyword matches whole characters.
//
// What it costs: a search is one pass over the text that looks at every character once, however
// many keywords there are, and compares on only where the first six bytes of a keyword stand. Sets
// and texts that are made to be slow (thousands of keywords that share long beginnings which the
// text repeats) use up an allowance in proportion to the text; then the rest is looked up in the
// sorted suffixes of the text. So a search of n bytes takes O(n log n + k (log n) l / 16) at worst,
// with k keywords of l bytes, and O(n) for all that people write. Adding and removing take the
// time of the keyword, and a move of four bytes for each keyword with the same first six bytes;
// growing by doubling is the only time when everything is laid out anew.
//
// Memory: 70 to 140 bytes for a keyword of up to 15 bytes with its text, by how full the tables
// are; the text of a longer one comes on top.
//
// A value without a lock: several threads may search while none changes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/internal/head_table.h"
#include "text/internal/pool.h"

namespace arbiter::text {

class Keywords {
  public:
    using Id = std::uint64_t;

    // False where there is nothing to do: the keyword has the id already, is empty, or begins in
    // the middle of a character (which no text does).
    bool add(std::string_view keyword, Id id);
    // False where the keyword does not have the id.
    bool remove(std::string_view keyword, Id id);

    // The ids of all keywords that occur in the text: each once, in ascending order.
    [[nodiscard]] std::vector<Id> find(std::string_view text) const;

    // Keywords, however many ids they have.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

  private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    struct Entry {
        std::string text;           // empty: not in use
        Id id = 0;                  // if there is only one
        std::uint32_t ids = kNone;  // else where in id_lists_, ascending
    };
    class Search;

    [[nodiscard]] std::uint32_t entry_of(std::string_view keyword) const;
    // Where in the order of a group a keyword is, or would be.
    [[nodiscard]] std::size_t place_in(const std::vector<std::uint32_t>& group,
                                       std::string_view keyword) const;
    void insert(std::string_view keyword, Id id);
    void erase(std::uint32_t entry);
    bool add_id(Entry& entry, Id id);

    internal::Pool<Entry> entries_;
    internal::Pool<std::vector<Id>> id_lists_;
    // Keywords with the same head, if they are several, in the order of their bytes.
    internal::Pool<std::vector<std::uint32_t>> groups_;
    internal::HeadTable heads_;
    std::size_t size_ = 0;
};

}  // namespace arbiter::text
