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

// True if the pattern reads the value inside a pair [value, "description"] at `near`.
bool Places::reads_through(const Pattern& pattern, const Path& near) const {
    const auto around = pair_around(near, old_, now_);
    return around && around->size() < pattern.size() && touches(pattern, *around);
}

std::optional<Path> pair_around(const Path& place, const Value& old, const Value& now) {
    const auto first = std::ranges::find_if(place, &value::Segment::is_index);
    if (first == place.end()) {
        return std::nullopt;
    }
    Path around(place.begin(), first);
    const auto is_pair = [&](const Value& document) {
        const Value* found = value::find(document, around);
        return found != nullptr && &expr::undescribed(*found) != found;
    };
    return is_pair(now) || is_pair(old) ? std::optional(std::move(around)) : std::nullopt;
}

void ConcernedRules::add(const std::vector<Path>& places) {
    if (index_.empty()) {
        return;
    }
    for (const Path& place : places) {
        std::vector<std::uint32_t> rules = index_.find(place);
        if (const auto around = pair_around(place, old_, now_)) {
            const auto through = index_.find(*around);
            rules.insert(rules.end(), through.begin(), through.end());
            std::ranges::sort(rules);
            const auto rest = std::ranges::unique(rules);
            rules.erase(rest.begin(), rest.end());
        }
        for (const std::uint32_t rule : rules) {
            if (rule >= passed_) {
                waiting_[rule].push_back(places_.size());
            }
        }
        places_.push_back(place);
    }
}

std::optional<ConcernedRules::Concerned> ConcernedRules::next() {
    if (waiting_.empty()) {
        return std::nullopt;
    }
    const auto first = waiting_.begin();
    Concerned concerned{first->first, {}};
    for (const std::size_t place : first->second) {
        concerned.places.push_back(places_[place]);
    }
    passed_ = first->first + 1;
    waiting_.erase(first);
    return concerned;
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
