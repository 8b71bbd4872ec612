// WordWrap: breaks text into lines of a terminal while it streams: between words, and between the
// characters of scripts that are written without blanks, but not before closing punctuation.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace arbiter::cli {

// The width in columns, as terminals show it: 2 for Chinese characters, 0 for combining marks.
std::size_t width_of(char32_t character) noexcept;
std::size_t width_of(std::string_view text) noexcept;

// Any split of the text gives the same lines. `columns` 0: nothing is broken.
class WordWrap {
  public:
    explicit WordWrap(std::size_t columns) noexcept : columns_(columns) {}

    // Takes more text and returns what can be printed of it; the last word is kept until its end
    // is known.
    std::string feed(std::string_view text);
    // The rest. The next text begins at the current column.
    std::string finish();
    // True if the last line is not empty.
    [[nodiscard]] bool is_line_open() const noexcept { return column_ > 0; }

  private:
    void take(char32_t character, std::string_view bytes, std::string& out);
    void end_word(std::string& out);

    std::size_t columns_;
    std::size_t column_ = 0;  // of the next character
    std::size_t blanks_ = 0;  // before the word
    std::string word_;        // that cannot be broken
    std::size_t word_width_ = 0;
    bool takes_closing_ = false;  // the word is complete, but closing punctuation stays with it
    bool takes_any_ = false;      // the word ends with an opening bracket
    std::string cut_;             // of a character whose end has not come
};

// The text in lines for a terminal.
std::string wrapped(std::string_view text, std::size_t columns);

}  // namespace arbiter::cli
