// The parts of a formula, innermost first.
#pragma once

#include <cstdint>
#include <vector>

#include "expr/formula.h"

namespace arbiter::expr {

// A built-in function, by the row of its table.
struct Builtin {
    std::string_view name;
    std::size_t least;
    std::size_t most;
    Known (*apply)(std::span<const Known>);
};
std::span<const Builtin> builtins() noexcept;

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
    const Builtin* builtin = nullptr;
    std::function<Known(std::span<const Known>)> host = {};
};

}  // namespace arbiter::expr
