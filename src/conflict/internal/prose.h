// Prose: a narration as tokens, clauses and sentences.
//
// Tokens do not overlap. At each place the longest of names, numbers and words of the lexicon wins;
// everything else is text. A clause ends at a comma, a dash, a bracket or a quotation mark; a
// sentence at its final punctuation or at the end of a line. One pass over the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "conflict/internal/names.h"
#include "conflict/lexicon.h"

namespace arbiter::conflict::internal {

struct Token {
    enum class Kind : std::uint8_t { kText, kWord, kNumber, kName, kMark };
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    Kind kind = Kind::kText;
    Words words;               // of a kWord
    std::uint32_t name = 0;    // of a kName: the index in Names
    std::int64_t number = 0;   // of a kNumber; the numerator of a fraction
    std::int64_t divisor = 0;  // of a fraction (三分之一), else 0
    char32_t mark = 0;         // of a kMark: the punctuation

    [[nodiscard]] bool is(Word word) const noexcept {
        return words.test(static_cast<std::size_t>(word));
    }
    [[nodiscard]] bool is_mark(char32_t which) const noexcept {
        return kind == Kind::kMark && mark == which;
    }
};

struct Clause {
    std::size_t begin = 0;  // of tokens
    std::size_t end = 0;
    std::uint32_t sentence = 0;
    Words words;              // of all its tokens
    bool has_name = false;    // a token that is a kName
    bool has_number = false;  // a token that is a kNumber
    bool is_quoted = false;
    bool is_panel = false;     // inside 【】 or of a line like "HP: 3/10"
    bool after_colon = false;  // the part of a sentence behind a colon

    [[nodiscard]] bool has(Word word) const noexcept {
        return words.test(static_cast<std::size_t>(word));
    }
    // Most clauses have no word that a rule is about, and need not be read by it.
    [[nodiscard]] bool has_any(std::initializer_list<Word> any) const noexcept {
        for (const Word word : any) {
            if (has(word)) {
                return true;
            }
        }
        return false;
    }
};

struct Sentence {
    std::size_t begin = 0;  // of clauses
    std::size_t end = 0;
    std::uint32_t paragraph = 0;
    bool is_question = false;
    bool is_option = false;  // "1. …", "A) …"
};

struct Prose {
    std::string folded;  // the narration in small letters, byte for byte
    std::vector<Token> tokens;
    std::vector<Clause> clauses;
    std::vector<Sentence> sentences;

    [[nodiscard]] std::string_view text(const Token& token) const noexcept {
        return std::string_view(folded).substr(token.begin, token.end - token.begin);
    }
};

Prose parse_prose(std::string_view narration, const Names& names, const Lexicon& lexicon);

}  // namespace arbiter::conflict::internal
