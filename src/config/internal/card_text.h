// Small facts about the texts of cards, and what stands in their books and extensions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/cards.h"

namespace arbiter::config::internal {

// ASCII letters without regard to case.
bool is_same_word(std::string_view text, std::string_view word) noexcept;
// Where a word stands in a text, without regard to case; npos where it does not.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from = 0) noexcept;

// Without a byte order mark and blanks around it.
std::string_view trimmed(std::string_view text) noexcept;

// The bytes; line breaks in it and a missing end are taken, other characters are not.
std::optional<std::string> decode_base64(std::string_view text);

// The entries of a book, be it a list (cards) or members by number (world files).
std::vector<const value::Value*> entries_of(const value::Value& book);
std::vector<Initvar> initvars_of(const value::Value& book);

std::vector<CardScript> scripts_of(const Card& card);

}  // namespace arbiter::config::internal
