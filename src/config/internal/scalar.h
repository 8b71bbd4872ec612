// Scalars of YAML: which of them are numbers, truth values and nothing.
#pragma once

#include <optional>
#include <string_view>

#include "value/value.h"

namespace arbiter::config::internal {

enum class Number : std::uint8_t {
    kNone,     // the text is no number
    kStored,   // it is, and can be stored
    kRefused,  // it is one that cannot: too large, not a number, infinite
};
// A number of the core schema: 12, -3.5, 1e6, 0o17, 0x1F; .inf and .nan are refused.
Number parse_number(std::string_view text, value::Value& number);

// What a plain scalar is, if it is no text: null, true, false or a number.
std::optional<bool> parse_truth(std::string_view text) noexcept;
bool is_null(std::string_view text) noexcept;

}  // namespace arbiter::config::internal
