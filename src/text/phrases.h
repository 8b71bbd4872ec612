// Phrases: a set of phrases, and the longest of them that begins at a place of a text.
//
// Where a phrase begins or ends with an ASCII letter or digit, the text must not continue the word
// there: "hp" is not in "hpx". Both sides are compared byte for byte; fold both with fold_case().
// The phrases are a trie by characters, whose branches with a single phrase are not divided
// further: a lookup reads each byte of the text at most twice, and its cost does not grow with
// their number.
//
// Thread safety: concurrent lookups are safe while no thread adds.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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
    // Nothing if `at` is inside a word or no phrase begins there. Inline up to the first character:
    // most places of a text need no more.
    [[nodiscard]] std::optional<Match> longest_at(std::string_view text, std::size_t at) const {
        if (at >= text.size() || !may_begin(first_of(text.substr(at)).bytes)) {
            return std::nullopt;
        }
        return search(text, at);
    }

  private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    struct Node {
        std::uint32_t whole = kNone;  // the phrase that ends here
        std::uint32_t only =
            kNone;  // the phrase that continues from here, while it is the only one
        bool has_edges = false;
    };
    // Edges of all nodes, in a hash table with open addressing.
    struct Edge {
        std::uint64_t key = 0;  // the node, counted from 1, and the bytes of a character; 0: free
        std::uint32_t to = 0;
    };

    // A character: its bytes as a number, and their count.
    struct Character {
        std::uint32_t bytes = 0;
        std::size_t size = 0;
    };
    // The first character of a text that is not empty, by its lead byte.
    static Character first_of(std::string_view text) noexcept;
    // The bit of a character among those that begin phrases.
    static std::uint32_t begin_bit(std::uint32_t character) noexcept {
        return (character * 0x9E3779B1U) >> 18U;
    }
    // Whether some phrase may begin with the character; a wrong yes costs a lookup.
    [[nodiscard]] bool may_begin(std::uint32_t character) const noexcept {
        const std::uint32_t bit = begin_bit(character);
        return (begins_[bit / 64] >> (bit % 64) & 1U) != 0;
    }
    // As longest_at(), at a place where a phrase may begin.
    [[nodiscard]] std::optional<Match> search(std::string_view text, std::size_t at) const;
    // The place of an edge in the table, or the free place for it.
    [[nodiscard]] std::size_t place_of(std::uint64_t key) const noexcept;
    std::uint32_t add_edge(std::uint32_t from, std::uint32_t character);
    std::uint32_t add_text(std::string_view phrase);
    void push_down(std::uint32_t node, std::size_t depth);

    std::vector<std::string> texts_;  // by id
    // Most characters of a text begin no phrase: a bit for each that does, by its hash. Small
    // enough to stay in the nearest cache, unlike the edges.
    std::array<std::uint64_t, 256> begins_ = {};
    std::vector<Node> nodes_ = std::vector<Node>(1);
    std::vector<Edge> edges_ = std::vector<Edge>(64);
    std::size_t used_ = 0;  // edges
};

inline Phrases::Character Phrases::first_of(std::string_view text) noexcept {
    // Sizes by the four high bits of the lead byte.
    constexpr std::uint64_t kSizes = 0x4322'2222'1111'1111;
    const unsigned lead = static_cast<std::uint8_t>(text[0]);
    const std::size_t size = std::min<std::size_t>(kSizes >> (lead / 16 * 4) & 0xFU, text.size());
    if (text.size() >= sizeof(std::uint32_t)) {
        const char* bytes = text.data();
        const auto byte = [bytes](std::size_t i) -> std::uint32_t {
            return static_cast<std::uint8_t>(bytes[i]);
        };
        const std::uint32_t four = byte(0) << 24U | byte(1) << 16U | byte(2) << 8U | byte(3);
        return {four >> (8 * (sizeof four - size)), size};
    }
    Character character{0, size};
    for (const char each : text.substr(0, size)) {
        character.bytes = (character.bytes << 8U) | static_cast<std::uint8_t>(each);
    }
    return character;
}

}  // namespace arbiter::text
