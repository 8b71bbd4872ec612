// Place marks: why a place of the document is not free to be changed, for views of the state. The
// engine decides by the rules themselves, never by these. Pure.
#pragma once

#include <string>
#include <vector>

#include "turn/rules.h"
#include "value/path.h"
#include "value/value.h"

namespace arbiter::turn {

struct PlaceMark {
    enum class Kind : std::uint8_t {
        kHidden,     // shown to neither the model nor the player
        kProtected,  // not to be removed, or changed by tools and rules only
        kDerived,    // computed
        kLimited     // has bounds
    };
    Kind kind;
    value::Path path;
    std::string rule;  // its id, the tool that changes the place, or the mark in the document
    std::string book;  // the rulebook of the rule; empty: not of one
    std::string text;  // the rule in one line; may be empty
};
std::string_view name(PlaceMark::Kind kind) noexcept;

// The marks of the places that the document has, at most `most`: those of its nodes in their order,
// then those of the table and of each rulebook.
std::vector<PlaceMark> place_marks(const Rules& rules, const value::Value& document,
                                   std::size_t most);

}  // namespace arbiter::turn
