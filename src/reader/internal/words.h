// Words without quotes: what they stand for in a literal.
#pragma once

#include <optional>
#include <string_view>

#include "reader/literal.h"

namespace arbiter::reader::internal {

// A number that cannot be stored: NaN, the infinities, 1e999.
bool is_no_number(std::string_view word);

// A word or number without quotes; nothing when it can only be a text.
std::optional<value::Value> plain_word(std::string_view word, Repairs& repairs);

}  // namespace arbiter::reader::internal
