// The built-in functions of formulas.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "expr/coercion.h"

namespace arbiter::expr::internal {

struct Builtin {
    std::string_view name;
    std::size_t least;  // arguments
    std::size_t most;
    Known (*apply)(std::span<const Known>);
    bool reads_lists = false;  // looks at every element of a list
};
std::span<const Builtin> builtins() noexcept;

}  // namespace arbiter::expr::internal
