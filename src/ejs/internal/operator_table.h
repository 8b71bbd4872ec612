// The operators of the language and their precedence.
#pragma once

#include <string_view>

#include "ejs/internal/syntax.h"

namespace arbiter::ejs::internal {

struct OperatorRow {
    std::string_view mark;
    Operator op;
};
struct BinaryRow {
    std::string_view mark;
    Operator op;
    int level;  // higher binds tighter
    NodeKind kind = NodeKind::kBinary;
};

// nullptr: not an operator of this kind.
const BinaryRow* find_binary(std::string_view mark) noexcept;
const OperatorRow* find_assignment(std::string_view mark) noexcept;
const OperatorRow* find_unary(std::string_view mark) noexcept;

// Whether a word cannot be the name of a variable.
bool is_reserved(std::string_view word) noexcept;

}  // namespace arbiter::ejs::internal
