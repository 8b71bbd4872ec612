// Lexer: the pieces of a template → tokens. Plain text is a token too, so that blocks may begin in
// one tag and end in another.
#pragma once

#include <cstdint>
#include <expected>
#include <forward_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ejs/failure.h"
#include "ejs/internal/tags.h"

namespace arbiter::ejs::internal {

struct Token {
    enum class Kind : std::uint8_t {
        kPlain,        // text between tags
        kOutputBegin,  // <%= or <%-
        kOutputEnd,
        kName,  // identifiers and keywords
        kNumber,
        kText,      // a string, without quotes and escapes
        kTemplate,  // a part of a `…` literal; kTemplate tokens alternate with expressions
        kTemplateEnd,
        kRegex,  // with flags in `more`
        kMark,   // punctuation
        kEnd
    };
    Kind kind;
    bool after_line = false;  // a line end is before it
    std::uint32_t line = 1;
    std::uint32_t match = 0;  // of an opening bracket: index of its closing one
    std::string_view text = {};
    std::string_view more = {};
    double number = 0;

    [[nodiscard]] bool is(std::string_view mark) const noexcept {
        return kind == Kind::kMark && text == mark;
    }
    [[nodiscard]] bool is_word(std::string_view word) const noexcept {
        return kind == Kind::kName && text == word;
    }
};

// Views point into the pieces and into `owned`.
std::expected<std::vector<Token>, Failure> read_tokens(std::span<const Piece> pieces,
                                                       std::forward_list<std::string>& owned);

}  // namespace arbiter::ejs::internal
