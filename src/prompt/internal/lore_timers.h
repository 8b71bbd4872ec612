// Timers: which entries stay active (sticky) and which rest (cooldown), counted in messages.
//
// As in SillyTavern, both start when an entry becomes active, and the rest of a sticky entry starts
// anew when it ends. The state belongs to one sequence of scans of one version of the books.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "prompt/internal/lore_book.h"

namespace arbiter::prompt::internal {

class Timers {
  public:
    explicit Timers(std::size_t books = 0) : sticky_(books), cooldown_(books) {}

    // To be called before a scan of `messages` messages: ends what has passed.
    void begin_scan(std::span<Book* const> books, std::size_t messages);
    [[nodiscard]] bool is_sticky(std::size_t book, std::uint32_t slot) const {
        return sticky_[book].contains(slot);
    }
    [[nodiscard]] bool is_resting(std::size_t book, std::uint32_t slot) const {
        return cooldown_[book].contains(slot);
    }
    // Messages left; the timer must run.
    [[nodiscard]] std::size_t sticky_left(std::size_t book, std::uint32_t slot) const;
    [[nodiscard]] std::size_t rest_left(std::size_t book, std::uint32_t slot) const;
    // Ascending.
    [[nodiscard]] std::vector<std::uint32_t> sticky_slots(std::size_t book) const;

    // The entry is active in this scan. Timers that run are not started again.
    void start(std::size_t book, std::uint32_t slot, const LoreEntry& entry);

  private:
    using Ends = std::map<std::uint32_t, std::size_t>;  // slot → the number of messages at the end
    std::vector<Ends> sticky_;                          // by book
    std::vector<Ends> cooldown_;
    std::size_t messages_ = 0;  // of this scan
};

}  // namespace arbiter::prompt::internal
