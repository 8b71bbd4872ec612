// PlainText: a text as matching sees it: without white space, since clients trim and join texts as
// they like. Its parts have keys, which are equal for equal parts.
//
// Keys are hashes of 64 bits: texts of one chat are compared, not those of an attacker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace arbiter::chat {

struct TextKey {
    std::uint64_t hash = 0;
    std::size_t size = 0;  // bytes without white space
    [[nodiscard]] bool empty() const noexcept { return size == 0; }
    friend bool operator==(const TextKey&, const TextKey&) = default;
};

class PlainText {
  public:
    explicit PlainText(std::string_view text);

    [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }
    [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }
    [[nodiscard]] TextKey key() const noexcept { return key(0, size()); }
    // Of a part; takes the same time for every part, but for a logarithm of its size.
    [[nodiscard]] TextKey key(std::size_t begin, std::size_t end) const noexcept;

    // A line that is not blank.
    struct Line {
        std::size_t begin = 0;   // in the plain text
        std::size_t source = 0;  // in the text
        // Where the words of the line begin if it names a speaker ("Rook: "); else `begin`.
        std::size_t words = 0;
    };
    [[nodiscard]] const std::vector<Line>& lines() const noexcept { return lines_; }
    [[nodiscard]] std::size_t line_end(std::size_t line) const noexcept {
        return line + 1 < lines_.size() ? lines_[line + 1].begin : size();
    }
    // Of the text without the name of a speaker in front.
    [[nodiscard]] TextKey words_key() const noexcept {
        return key(lines_.empty() ? 0 : lines_[0].words, size());
    }

  private:
    void add_run(std::string_view run, std::size_t source, std::size_t words);
    [[nodiscard]] std::uint64_t hash_of_first(std::size_t size) const noexcept;

    std::string bytes_;
    std::vector<std::uint64_t> hashes_;  // of the first 0, kHashStep, 2 * kHashStep, … bytes
    std::vector<Line> lines_;
};

// The bytes at the beginning of a line that name its speaker, with the colon; 0: none does.
std::size_t speaker_bytes(std::string_view line) noexcept;

}  // namespace arbiter::chat
