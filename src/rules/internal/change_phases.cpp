#include "rules/internal/change_phases.h"

#include <algorithm>
#include <ranges>

#include "rules/internal/places.h"
#include "rules/limit.h"

namespace arbiter::rules::internal {

using expr::Known;
using value::Bindings;
using value::Path;
using value::Pattern;
using value::Value;

ChangePhases::ChangePhases(ReactionContext& context) : context_(context) {
    const Value& start = context.turn.before.document;
    change_seen_ = start;
    range_seen_ = start;
    // The first time, derived values and clean-up look at the whole document.
    derived_seen_ = context.known ? start : Value();
    cleanup_seen_ = derived_seen_;
}

// ---- reactions to changes

void ChangePhases::react_to_changes() {
    const Value now = context_.document();
    const std::vector<Path> places = value::touched_places(value::diff(change_seen_, now));
    for (const Reaction& rule : context_.book.reactions) {
        Places found(change_seen_, now);
        for (const Path& place : places) {
            found.add(rule.watch, rule.watch, place);
        }
        for (const Path& path : found.list()) {
            const Value* old = value::find(change_seen_, path);
            const Value* fresh = value::find(now, path);
            const bool same = old != nullptr && fresh != nullptr && *old == *fresh;
            Bindings bindings;
            if (!same && matches(rule.watch, path, bindings)) {
                act(rule, bindings, old, fresh);
            }
        }
    }
    change_seen_ = now;
}
void ChangePhases::act(const Reaction& rule, const Bindings& bindings, const Value* old,
                       const Value* fresh) {
    auto variables = variables_of(bindings);
    if (old != nullptr) {
        variables.push_back({"old", expr::undescribed(*old)});
    }
    if (fresh != nullptr) {
        variables.push_back({"new", expr::undescribed(*fresh)});
    }
    if (rule.when && !rule.when->holds({context_.document(), variables})) {
        return;
    }
    for (const Action& action : rule.actions) {
        const auto place = value::bound_path(action.place, bindings);
        if (!place) {
            continue;
        }
        if (!action.to) {
            context_.remove(rule.id, *place);
        } else if (const Known value = context_.evaluate(*action.to, variables)) {
            context_.put(rule.id, *place, *value, action.creates);
        }
    }
}

// ---- derived values

void ChangePhases::derive() {
    std::vector<Path> places =
        value::touched_places(value::diff(derived_seen_, context_.document()));
    for (const Derived& rule : context_.book.derived) {
        Places found(derived_seen_, context_.document());
        for (const Path& place : places) {
            found.add(rule.place, rule.place, place);
            for (const Pattern& read : rule.formula.reads()) {
                found.add(read, rule.place, place);
            }
        }
        context_.touched.clear();
        const std::vector<Path> list = found.list();
        for (const Path& path : list) {
            Bindings bindings;
            if (!matches(rule.place, path, bindings)) {
                continue;
            }
            if (const Known value = context_.evaluate(rule.formula, variables_of(bindings))) {
                context_.put(rule.id, path, *value, false);
            }
        }
        places.insert(places.end(), context_.touched.begin(), context_.touched.end());
    }
    derived_seen_ = context_.document();
}

// ---- ranges

void ChangePhases::keep_ranges() {
    const Value now = context_.document();
    const std::vector<Path> places = value::touched_places(value::diff(range_seen_, now));
    for (const Range& rule : context_.book.ranges) {
        Places found(range_seen_, now);
        for (const Path& place : places) {
            found.add(rule.place, rule.place, place);
            for (const auto& bound : {rule.min, rule.max}) {
                for (const Pattern& read : bound ? bound->reads() : std::vector<Pattern>()) {
                    found.add(read, rule.place, place);
                }
            }
        }
        for (const Path& path : found.list()) {
            Bindings bindings;
            const Value* present = context_.at(path);
            if (present == nullptr || !matches(rule.place, path, bindings) || is_derived(path)) {
                continue;
            }
            const Value current = expr::undescribed(*present);
            const auto number = expr::number_of(current);
            auto variables = variables_of(bindings);
            variables.push_back({"old", current});
            variables.push_back({"new", current});
            const auto bound = [&](const std::optional<expr::Formula>& formula) {
                const Known known = formula ? context_.evaluate(*formula, variables) : std::nullopt;
                return known ? expr::number_of(*known) : std::nullopt;
            };
            const auto min = bound(rule.min);
            const auto max = bound(rule.max);
            double fitting = number.value_or(0);
            fitting = min ? std::max(fitting, *min) : fitting;
            fitting = max ? std::min(fitting, *max) : fitting;
            const Known fresh = expr::number_value(fitting);
            if (number && fitting != *number && fresh) {
                context_.put(rule.id, path, *fresh, false);
            }
        }
    }
    range_seen_ = now;
}

// Derived values follow their formula alone.
bool ChangePhases::is_derived(const Path& path) const {
    return std::ranges::any_of(context_.book.derived, [&](const Derived& rule) {
        Bindings bindings;
        return matches(rule.place, path, bindings);
    });
}

// ---- clean-up

void ChangePhases::clean_up() {
    const Value now = context_.document();
    const std::vector<Path> places = value::touched_places(value::diff(cleanup_seen_, now));
    for (const Cleanup& rule : context_.book.cleanups) {
        Places found(cleanup_seen_, now);
        for (const Path& place : places) {
            found.add(rule.each, rule.each, place);
            for (const Pattern& read : rule.when.reads()) {
                found.add(read, rule.each, place);
            }
        }
        // In reverse order, so that removing does not shift the indexes of later paths.
        for (const Path& path : std::views::reverse(found.list())) {
            Bindings bindings;
            const Value* it = context_.at(path);
            if (it == nullptr || !matches(rule.each, path, bindings)) {
                continue;
            }
            auto variables = variables_of(bindings);
            variables.push_back({"it", *it});
            if (rule.when.holds({context_.document(), variables})) {
                context_.remove(rule.id, path);
            }
        }
    }
    // Removals are seen in the next round: a condition may read them.
    cleanup_seen_ = now;
}

}  // namespace arbiter::rules::internal
