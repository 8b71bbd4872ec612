// PolicyIndex: which parts of a policy concern a path.
//
// A policy may have thousands of rules and a reply thousands of commands. With the index a command
// costs the rules that concern it. Numbers are positions in the lists of the policy. Immutable.
#pragma once

#include <memory>
#include <vector>

#include "value/pattern_index.h"

namespace arbiter::engine {

struct Policy;

struct PolicyIndex {
    value::PatternIndex checks;
    value::PatternIndex counting_checks;  // those that limit how much a number changes
    value::PatternIndex derived;
    value::PatternIndex read_only;
    value::PatternIndex closed;
    value::PatternIndex closed_to_player;
    value::PatternIndex kept;
    value::PatternIndex memories;
    value::PatternIndex open;
    value::PatternIndex aliases;  // by container and name
    bool counts_changes = false;
    // Closed paths with an index from the end: their place depends on the length of a list.
    std::vector<value::PatternIndex::Number> closed_from_end;

    static std::shared_ptr<const PolicyIndex> of(const Policy& policy);
};

}  // namespace arbiter::engine
