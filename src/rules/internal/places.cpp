#include "rules/internal/places.h"

#include <algorithm>

#include "expr/formula.h"
#include "rules/internal/context.h"

namespace arbiter::rules::internal {

using value::Bindings;
using value::Path;
using value::Pattern;
using value::Value;

void Places::add(const Pattern& pattern, const Pattern& target, const Path& near) {
    if (reads_through(pattern, near)) {
        add_all(target);
    }
    if (!touches(pattern, near)) {
        return;
    }
    const auto take = [&](const Path&, const Bindings& bindings, const Value&) {
        if (auto path = value::bound_path(target, bindings)) {
            insert(std::move(*path));
            return true;
        }
        add_all(target);
        return false;
    };
    if (all_ && &pattern != &target) {
        return;
    }
    visit_near(pattern, now_, near, take);
    visit_near(pattern, old_, near, take);
}

void Places::add_all(const Pattern& target) {
    if (all_) {
        return;
    }
    all_ = true;
    visit_matches(target, now_, [&](const Path& path, const Bindings&, const Value&) {
        insert(path);
        return true;
    });
}

// True if the pattern reads the value inside a pair [value, "description"] at `near`: formulas name
// its members as if there were no pair.
bool Places::reads_through(const Pattern& pattern, const Path& near) const {
    const auto first = std::ranges::find_if(near, &value::Segment::is_index);
    const auto pair = static_cast<std::size_t>(first - near.begin());
    if (first == near.end() || pair >= pattern.size()) {
        return false;
    }
    const Path around(near.begin(), first);
    const auto is_pair = [&](const Value& document) {
        const Value* found = value::find(document, around);
        return found != nullptr && &expr::undescribed(*found) != found;
    };
    return touches(pattern, around) && (is_pair(now_) || is_pair(old_));
}

void Places::insert(Path path) {
    // Comparing a few paths is cheaper than printing them.
    constexpr std::size_t kFew = 16;
    if (list_.size() <= kFew && std::ranges::find(list_, path) != list_.end()) {
        return;
    }
    if (list_.size() == kFew) {
        for (const Path& each : list_) {
            seen_.insert(printed(each));
        }
    }
    if (list_.size() < kFew || seen_.insert(printed(path)).second) {
        list_.push_back(std::move(path));
    }
}

}  // namespace arbiter::rules::internal
