// Words without quotes: what they stand for in a literal.
#pragma once

#include <optional>
#include <string_view>

#include "reader/literal.h"

namespace arbiter::reader::internal {

// JavaScript's numbers that are none: null in JSON, and no value for a call.
bool is_no_number(std::string_view word);

// A word or number without quotes; nothing when it can only be a text.
std::optional<value::Value> plain_word(std::string_view word, Repairs& repairs);

}  // namespace arbiter::reader::internal
