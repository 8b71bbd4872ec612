#include "rules/rule_index.h"

#include "rules/rulebook.h"

namespace arbiter::rules {

using value::Pattern;
using value::PatternIndex;

namespace {

void file(PatternIndex& index, const expr::Formula& formula, PatternIndex::Number number) {
    for (const Pattern& read : formula.reads()) {
        index.add(read, number);
    }
}

template <typename List, typename File>
void file_all(const List& list, File file_one) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        file_one(list[i], static_cast<PatternIndex::Number>(i));
    }
}

}  // namespace

std::shared_ptr<const RuleIndex> RuleIndex::of(const Rulebook& book) {
    auto made = std::make_shared<RuleIndex>();
    file_all(book.reactions, [&](const Reaction& rule, PatternIndex::Number number) {
        made->reactions.add(rule.watch, number);
    });
    file_all(book.derived, [&](const Derived& rule, PatternIndex::Number number) {
        made->derived_places.add(rule.place, number);
        made->derived.add(rule.place, number);
        file(made->derived, rule.formula, number);
    });
    file_all(book.ranges, [&](const Range& rule, PatternIndex::Number number) {
        made->ranges.add(rule.place, number);
        for (const auto& bound : {rule.min, rule.max}) {
            if (bound) {
                file(made->ranges, *bound, number);
            }
        }
    });
    file_all(book.cleanups, [&](const Cleanup& rule, PatternIndex::Number number) {
        made->cleanups.add(rule.each, number);
        file(made->cleanups, rule.when, number);
    });
    return made;
}

}  // namespace arbiter::rules
