// Words without quotes: what they stand for in a literal.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "reader/literal.h"

namespace arbiter::reader::internal {

// A whole number of a few digits, written as JSON has it: most numbers there are. Nothing for all
// others, whatever they are.
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

// A number that cannot be stored: NaN, the infinities, 1e999.
bool is_unstorable_number(std::string_view word);

// A word or number without quotes; nothing when it can only be a text.
std::optional<value::Value> parse_bare_word(std::string_view word, Repairs& repairs);

}  // namespace arbiter::reader::internal
