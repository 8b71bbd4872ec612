#include "engine/policy_index.h"

#include "engine/check.h"
#include "engine/internal/paths.h"
#include "engine/policy.h"

namespace arbiter::engine {

using value::pattern_of;
using value::PatternIndex;

namespace {

template <typename List, typename PatternOf>
void file(PatternIndex& index, const List& list, PatternOf pattern) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        index.add(pattern(list[i]), static_cast<PatternIndex::Number>(i));
    }
}

}  // namespace

std::shared_ptr<const PolicyIndex> PolicyIndex::of(const Policy& policy) {
    auto made = std::make_shared<PolicyIndex>();
    const auto itself = [](const value::Pattern& pattern) -> const value::Pattern& {
        return pattern;
    };
    for (std::size_t i = 0; i < policy.checks.size(); ++i) {
        const Check& check = *policy.checks[i];
        made->checks.add(check.place(), static_cast<PatternIndex::Number>(i));
        if (check.counts_changes()) {
            made->counting_checks.add(check.place(), static_cast<PatternIndex::Number>(i));
            made->counts_changes = true;
        }
    }
    for (std::size_t i = 0; i < policy.closed.size(); ++i) {
        if (internal::counts_from_the_end(policy.closed[i].path)) {
            made->closed_from_end.push_back(static_cast<PatternIndex::Number>(i));
            continue;
        }
        const value::Pattern place = pattern_of(policy.closed[i].path);
        made->closed.add(place, static_cast<PatternIndex::Number>(i));
        if (policy.closed[i].to_player) {
            made->closed_to_player.add(place, static_cast<PatternIndex::Number>(i));
        }
    }
    file(made->derived, policy.derived, itself);
    file(made->read_only, policy.read_only, itself);
    file(made->memories, policy.memories, itself);
    file(made->open, policy.open, itself);
    file(made->kept, policy.kept, [](const value::Path& path) { return pattern_of(path); });
    file(made->aliases, policy.aliases, [](const KeyAlias& alias) {
        value::Path path = alias.container;
        path.emplace_back(std::string_view(alias.name));
        return pattern_of(path);
    });
    return made;
}

}  // namespace arbiter::engine
