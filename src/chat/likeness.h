// Sketch: a fixed number of shingles of a text, to measure how much two texts have in common.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace arbiter::chat {

class Sketch {
  public:
    Sketch() = default;
    // `plain`: without white space (plain_text.h).
    explicit Sketch(std::string_view plain);

    [[nodiscard]] bool empty() const noexcept { return smallest_.empty(); }
    // The share of shingles that are in both texts, from 0 to 1. An estimate for long texts, exact
    // for texts of up to about kShingles bytes. Texts without a shingle are like no text.
    [[nodiscard]] double likeness(const Sketch& other) const;

    // Enough to distinguish a changed sentence from another reply, at half a kilobyte for each.
    static constexpr std::size_t kShingles = 128;
    // Two Chinese characters, or a short English word.
    static constexpr std::size_t kShingleBytes = 6;

  private:
    std::vector<std::uint32_t> smallest_;  // hashes, ascending
};

}  // namespace arbiter::chat
