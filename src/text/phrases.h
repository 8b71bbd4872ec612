// Phrases: a set of phrases, and the longest of them that begins at a place of a text.
//
// Where a phrase begins or ends with an ASCII letter or digit, the text must not continue the word
// there: "hp" is not in "hpx". Both sides are compared byte for byte; fold both with fold_case().
// A lookup compares only phrases that share the first three bytes with the text, longest first.
//
// Thread safety: concurrent lookups are safe while no thread adds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace arbiter::text {

class Phrases {
  public:
    struct Match {
        std::uint32_t id = 0;
        std::size_t size = 0;
    };
    // The id of the phrase, new or not: the number of different phrases added before it.
    std::uint32_t add(std::string_view phrase);
    // Nothing if `at` is inside a word or no phrase begins there.
    [[nodiscard]] std::optional<Match> longest_at(std::string_view text, std::size_t at) const;
    [[nodiscard]] const std::string& phrase(std::uint32_t id) const { return phrases_[id]; }
    [[nodiscard]] std::size_t size() const noexcept { return phrases_.size(); }

  private:
    std::vector<std::string> phrases_;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_head_;  // longest first
};

}  // namespace arbiter::text
