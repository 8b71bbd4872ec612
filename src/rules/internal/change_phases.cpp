#include "rules/internal/change_phases.h"

#include <algorithm>
#include <ranges>
#include <utility>

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
    if (context.known) {
        range_seen_ = derived_seen_ = cleanup_seen_ = start;
        return;
    }
    // The first time, ranges and clean-up look at the whole document, and derived values that the
    // save has wrong or lacks are corrected: that is not a change in the story.
    ReactionState scratch{start, {}, context.budget(), {}, {}};
    ReactionContext corrected(context.book, context.turn, scratch);
    Value unseen;
    derive(corrected, unseen);
    change_seen_ = derived_seen_ = corrected.document();
    corrections_ = std::move(scratch.effects);
}

void ChangePhases::correct_import() {
    for (const Effect& each : std::exchange(corrections_, {})) {
        const Value* present = context_.at(each.path);
        const bool same =
            present != nullptr ? each.before && *present == *each.before : !each.before.has_value();
        if (same && each.after) {
            context_.put(each.rule, each.path, expr::undescribed(*each.after),
                         ReactionContext::Creates::kInContainer);
        }
    }
}

// ---- reactions to changes

void ChangePhases::react_to_changes() {
    const Value now = context_.document();
    ConcernedRules concerned(context_.book.index->reactions, change_seen_, now);
    concerned.add(context_.changed_since(change_seen_));
    while (const auto next = concerned.next()) {
        const Reaction& rule = context_.book.reactions[next->rule];
        if (!context_.spend_looks(next->places.size())) {
            break;
        }
        Places found(change_seen_, now);
        for (const Path& place : next->places) {
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
    if (rule.when && !context_.holds(*rule.when, variables)) {
        return;
    }
    for (const Action& action : rule.actions) {
        context_.perform(rule.id, action, bindings, variables);
    }
}

// ---- derived values

void ChangePhases::derive() {
    derive(context_, derived_seen_);
}

void ChangePhases::derive(ReactionContext& context, Value& seen) {
    const Value before = seen;
    ConcernedRules concerned(context.book.index->derived, before, context.document());
    concerned.add(context.changed_since(seen));
    while (const auto next = concerned.next()) {
        const Derived& rule = context.book.derived[next->rule];
        const std::size_t patterns = rule.formula.reads().size() + 2;
        if (!context.spend_looks(next->places.size() * patterns)) {
            break;
        }
        // A container that is new may lack the value.
        const Pattern container(rule.place.begin(), rule.place.end() - 1);
        const Value now = context.document();
        Places found(before, now);
        for (const Path& place : next->places) {
            found.add(rule.place, rule.place, place);
            if (place.size() <= container.size()) {
                found.add(container, rule.place, place);
            }
            for (const Pattern& read : rule.formula.reads()) {
                found.add(read, rule.place, place);
            }
        }
        // No formula reads its own place, so all are computed on the same document.
        std::vector<std::pair<Path, Value>> fresh;
        expr::Memo memo;
        for (const Path& path : found.list()) {
            Bindings bindings;
            if (!matches(rule.place, path, bindings)) {
                continue;
            }
            if (Known value = context.evaluate(rule.formula, variables_of(bindings), &memo)) {
                fresh.emplace_back(path, *std::move(value));
            }
        }
        context.touched.clear();
        for (const auto& [path, value] : fresh) {
            context.put(rule.id, path, value, ReactionContext::Creates::kInContainer);
        }
        concerned.add(context.touched);
    }
    seen = context.document();
}

// ---- ranges

void ChangePhases::keep_ranges() {
    const Value now = context_.document();
    ConcernedRules concerned(context_.book.index->ranges, range_seen_, now);
    concerned.add(context_.changed_since(range_seen_));
    while (const auto next = concerned.next()) {
        const Range& rule = context_.book.ranges[next->rule];
        if (!context_.spend_looks(next->places.size())) {
            break;
        }
        expr::Memo low;
        expr::Memo high;
        Places found(range_seen_, now);
        for (const Path& place : next->places) {
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
            const auto bound = [&](const std::optional<expr::Formula>& formula, expr::Memo& memo) {
                const Known known =
                    formula ? context_.evaluate(*formula, variables, &memo) : std::nullopt;
                return known ? expr::number_of(*known) : std::nullopt;
            };
            const auto min = bound(rule.min, low);
            const auto max = bound(rule.max, high);
            double fitting = number.value_or(0);
            fitting = min ? std::max(fitting, *min) : fitting;
            fitting = max ? std::min(fitting, *max) : fitting;
            const Known fresh = expr::number_value(fitting);
            if (number && fitting != *number && fresh) {
                context_.put(rule.id, path, *fresh);
            }
        }
    }
    range_seen_ = now;
}

// Derived values follow their formula alone.
bool ChangePhases::is_derived(const Path& path) const {
    const auto near = context_.book.index->derived_places.find(path);
    return std::ranges::any_of(near, [&](std::uint32_t number) {
        Bindings bindings;
        return matches(context_.book.derived[number].place, path, bindings);
    });
}

// ---- clean-up

void ChangePhases::clean_up() {
    const Value now = context_.document();
    ConcernedRules concerned(context_.book.index->cleanups, cleanup_seen_, now);
    concerned.add(context_.changed_since(cleanup_seen_));
    while (const auto next = concerned.next()) {
        const Cleanup& rule = context_.book.cleanups[next->rule];
        if (!context_.spend_looks(next->places.size())) {
            break;
        }
        expr::Memo memo;
        Places found(cleanup_seen_, now);
        for (const Path& place : next->places) {
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
            if (context_.holds(rule.when, variables, &memo)) {
                context_.remove(rule.id, path);
            }
        }
    }
    // Removals are seen in the next round: a condition may read them.
    cleanup_seen_ = now;
}

}  // namespace arbiter::rules::internal
