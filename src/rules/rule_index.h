// RuleIndex: which rules of a rulebook a change of the document concerns.
//
// A rulebook may have thousands of rules, and a turn thousands of changes. With the index a turn
// costs the rules that its changes concern. Numbers are positions in the lists of the rulebook.
// Immutable.
#pragma once

#include <memory>

#include "value/pattern_index.h"

namespace arbiter::rules {

struct Rulebook;

struct RuleIndex {
    value::PatternIndex reactions;       // by the places that they watch
    value::PatternIndex derived;         // by their places, containers and what they read
    value::PatternIndex derived_places;  // by their places alone
    value::PatternIndex ranges;
    value::PatternIndex cleanups;

    static std::shared_ptr<const RuleIndex> of(const Rulebook& book);
};

}  // namespace arbiter::rules
