// A condition in words, for a model or a person who does not read formulas:
//
//   campaign.characters.ali.items.key.count > 0   →   "Ali has cellar key"
//
// The caller names the places of the document. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/messages.h"
#include "expr/formula.h"
#include "value/pattern.h"
#include "value/value.h"

namespace arbiter::expr {

enum class Comparison : std::uint8_t { kEqual, kUnequal, kLess, kAtMost, kMore, kAtLeast, kTrue };

struct FormulaWords {
    base::Language language = base::Language::kEnglish;
    // The name of a place: "HP of Ali".
    std::function<std::string(const value::Pattern& place)> place;
    // A comparison of a place with a constant as one phrase; empty: it is said part by part. The
    // constant of kTrue is null.
    std::function<std::string(const value::Pattern& place, Comparison comparison,
                              const value::Value& constant)>
        phrase;
};

std::string in_words(const Formula& formula, const FormulaWords& words);

}  // namespace arbiter::expr
