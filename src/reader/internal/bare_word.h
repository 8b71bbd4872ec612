// Unquoted words in literals: numbers, constants, arithmetic. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reader/literal.h"

namespace arbiter::reader::internal {

// An integer of up to 15 digits in JSON's grammar; a fast path for most numbers. Empty for any
// other word.
inline std::optional<std::int64_t> parse_short_integer(std::string_view word) noexcept {
    constexpr std::size_t kDigitsMax = 15;
    const std::size_t sign = word.starts_with('-') ? 1 : 0;
    const std::string_view digits = word.substr(sign);
    if (digits.empty() || digits.size() > kDigitsMax || (digits[0] == '0' && word.size() > 1)) {
        return std::nullopt;
    }
    std::int64_t number = 0;
    for (const char c : digits) {
        if (c < '0' || c > '9') {
            return std::nullopt;
        }
        number = number * 10 + (c - '0');
    }
    return sign == 1 ? -number : number;
}

// A number that a value cannot hold: NaN, the infinities, 1e999.
bool is_unstorable_number(std::string_view word);

// The size of a subscript that belongs to the word before it, as in bag[0] and bag["oil.lamp"]; 0
// if the bracket at `at` begins something else.
std::size_t subscript_size(std::string_view text, std::size_t at) noexcept;

// The value of an unquoted word. Empty if it is a text.
std::optional<value::Value> parse_bare_word(std::string_view word, Repairs& repairs);

}  // namespace arbiter::reader::internal
