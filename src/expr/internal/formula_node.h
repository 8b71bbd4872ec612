// The nodes of a compiled formula; operands come before their operator.
#pragma once

#include <cstdint>
#include <vector>

#include "expr/formula.h"
#include "expr/internal/builtins.h"

namespace arbiter::expr {

struct Formula::Node {
    enum class Kind : std::uint8_t {
        kConstant,
        kPlace,
        kOr,
        kAnd,
        kNot,
        kEqual,
        kUnequal,
        kLess,
        kLessEqual,
        kIn,
        kElse,
        kAdd,
        kSubtract,
        kMultiply,
        kDivide,
        kModulo,
        kNegate,
        kIf,
        kBuiltin,
        kHost
    };
    Kind kind = Kind::kConstant;
    std::vector<std::size_t> parts = {};  // nodes before this one
    value::Value constant = {};
    value::Pattern place = {};
    bool of_variable = false;  // the place begins at a variable's value
    bool has_pairs = true;     // there may be described values at the place
    bool is_kept = false;      // depends on the document alone, and is worth a Memo
    const internal::Builtin* builtin = nullptr;
    std::function<Known(std::span<const Known>)> host = {};
};

}  // namespace arbiter::expr
