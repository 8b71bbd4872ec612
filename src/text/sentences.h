// Sentences of Chinese and English prose. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace arbiter::text {

struct Sentence {
    std::size_t begin = 0;  // of its first byte behind blanks
    std::size_t end = 0;    // behind its punctuation and closing marks
    friend bool operator==(const Sentence&, const Sentence&) = default;
};

// The sentence or sentences around the bytes [begin, end) of valid UTF-8. A line ends a sentence.
Sentence sentence_around(std::string_view text, std::size_t begin, std::size_t end) noexcept;

}  // namespace arbiter::text
