// Reads a formula from a config object.
#pragma once

#include <optional>
#include <string_view>

#include "expr/formula.h"
#include "value/fields.h"

namespace arbiter::expr {

// A text, a number or a truth value. Nothing, with a diagnostic, if it does not compile.
std::optional<Formula> formula(value::Fields& fields, std::string_view key,
                               const Vocabulary& vocabulary,
                               value::Presence presence = value::Presence::kOptional);

}  // namespace arbiter::expr
