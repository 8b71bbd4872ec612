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

// Whether a formula is one name, such as 一百 or hp_max, which is read as a path.
bool is_word(std::string_view text);
// Whether it is a number in Chinese characters: 一百, 十二点五.
bool is_numeral(std::string_view text);

}  // namespace arbiter::expr
