// Texts of cards: tolerant comparisons, base64, and the lorebook entries that initialise variables.
// Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "card/card.h"

namespace arbiter::card {

// Equality of ASCII text, ignoring case.
bool equals_ignoring_case(std::string_view a, std::string_view b) noexcept;
// The offset of `word` in `text` from `from` on, ignoring the case of ASCII letters; npos: none.
std::size_t find_ignoring_case(std::string_view text, std::string_view word,
                               std::size_t from = 0) noexcept;

// Without a byte order mark, and without whitespace at both ends.
std::string_view trimmed(std::string_view text) noexcept;

// Standard and URL-safe alphabet. Whitespace and missing padding are accepted, other characters
// are not.
std::optional<std::string> decode_base64(std::string_view text);

// A text without its <initvar> elements, and their contents. An element that is not closed ends
// with the text.
struct SplitText {
    std::vector<std::string_view> initvars;
    std::string rest;
};
SplitText split_initvars(std::string_view text);

// The [initvar] entries of a lorebook.
std::vector<Initvar> initvars_of(const value::Value& book);
// A script that registers a schema and is not switched off. Borrowed from the card.
struct SchemaScript {
    std::string_view name;
    std::string_view text;
};
std::vector<SchemaScript> schema_scripts(const Card& card);
// The scripts in the extensions, texts and lorebook of a card.
std::vector<CardScript> scripts_of(const Card& card);

}  // namespace arbiter::card
