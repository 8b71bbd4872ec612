// Arguments of calls. Pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "reader/repairs.h"
#include "value/value.h"

namespace arbiter::reader {

struct Argument {
    value::Value value;
    bool given = true;  // false for `undefined` and for the empty text
    bool quoted = false;
    bool too_deep = false;  // nested beyond base::kLiteralDepthMax
    Repairs repairs;
};
// `text` is the whole argument. Text that is not a literal is a string.
Argument parse_argument(std::string_view text);

// The content of an argument that is one quoted string without escapes, line breaks and inner
// quotes, as most are. Empty for any other argument.
std::optional<std::string_view> plain_string(std::string_view argument) noexcept;

}  // namespace arbiter::reader
