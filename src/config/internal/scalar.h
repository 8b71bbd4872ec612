// Scalars of YAML: numbers, truth values and null.
#pragma once

#include <optional>
#include <string_view>

#include "value/value.h"

namespace arbiter::config::internal {

enum class Number : std::uint8_t {
    kNone,     // not a number
    kStored,   // a number that can be stored
    kRefused,  // a number that cannot: too large, NaN, infinite
};
// A number of the core schema: 12, -3.5, 1e6, 0o17, 0x1F; .inf and .nan are refused.
Number parse_number(std::string_view text, value::Value& number);

// The meaning of a plain scalar that is not a text.
std::optional<bool> parse_truth(std::string_view text) noexcept;
bool is_null(std::string_view text) noexcept;

}  // namespace arbiter::config::internal
