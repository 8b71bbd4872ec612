// The keys of one book that one scan finds: in the newest messages, in fields of the card, and in
// the contents of entries that have become active.
//
// Plain keys are searched in each text alone, and the results are cached in the book. Patterns see
// all texts as one, as in SillyTavern: the messages from the newest back, the fields of the card,
// then the contents of each round; each text is searched once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/limits.h"
#include "prompt/internal/lore_book.h"
#include "prompt/lore.h"
#include "prompt/reason.h"

namespace arbiter::prompt::internal {

// A key that was found, and its location: a message, a card field, or an entry.
struct Place {
    Reason reason = Reason::kLoreKey;
    std::size_t number = 0;
    const LoreEntry* waker = nullptr;
};
struct Hit {
    std::uint32_t slot;
    bool other;
    std::uint32_t key;
    std::uint32_t before;  // 1 + the index of the hit of the same slot before it; 0: none
    Place where;
};
Why why_of(const LoreEntry& entry, const Hit& hit);
// The name of an entry for people.
std::string shown_name(const LoreEntry& entry);

// The expanded content of an entry that became active.
struct WakingText {
    std::size_t book = 0;
    std::uint32_t slot = 0;
    const LoreEntry* entry = nullptr;
    std::string_view text;
};

class Search {
  public:
    Search(Book& book, std::size_t index, base::Budget& work);
    Search(Search&&) noexcept = default;
    Search& operator=(Search&&) = delete;
    ~Search();

    void search_messages(std::span<const Message> history);
    // The fields of the card in the order of searched_texts(), expanded; empty: none.
    void search_fields(std::span<const std::string> fields);
    void search_entries(std::span<const WakingText> round);

    // The slots of keys found since the last call, ascending.
    std::vector<std::uint32_t> take_new_slots();

    struct Found {
        std::optional<Hit> first;   // of the primary keys: the lowest key, where it was found first
        std::size_t primary = 0;    // number of keys
        std::size_t secondary = 0;  // number of keys
    };
    [[nodiscard]] Found found_of(std::uint32_t slot) const;
    // The number of keys found, as group scoring counts them.
    [[nodiscard]] std::size_t score_of(std::uint32_t slot) const;

  private:
    // A pattern that has not been found.
    struct OpenPattern {
        const PatternKey* key;
        const LoreEntry* entry;
        text::Regex::Search search;
        bool is_over = false;
    };

    template <typename Counts>
    void add_hits(const std::vector<KeyId>& ids, const Counts& counts);
    void add_hit(KeyId id, const Place& where);
    void feed(OpenPattern& pattern, std::string_view joint, std::string_view text,
              const Place& where);
    void end_text(const Place& where);

    Book& book_;
    std::size_t index_;  // of the book
    base::Budget& work_;
    std::vector<OpenPattern> patterns_;
    // Of messages, and of contents of entries. Older messages are searched for fewer entries, and
    // contents always for the same: a key that was found in one need not be found again.
    KeySet::Seen in_messages_;
    KeySet::Seen in_entries_;
    std::vector<SlotNote>& notes_;
    std::vector<Hit> hits_;  // in the order of finding
    std::size_t taken_ = 0;  // hits that take_new_slots() has seen
};

}  // namespace arbiter::prompt::internal
