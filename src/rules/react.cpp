// Reactions: the end of a turn, and the phases that follow changes.
#include "rules/react.h"

#include <algorithm>
#include <ranges>
#include <unordered_set>

#include "base/limits.h"
#include "engine/marks.h"
#include "rules/internal/reactor.h"
#include "rules/limit.h"
#include "value/editor.h"
#include "value/json.h"

namespace arbiter::rules {
namespace internal {

using expr::Known;
using value::Array;
using value::Bindings;
using value::Object;
using value::Path;
using value::Pattern;
using value::Value;

std::string printed(const Path& path) {
    return value::print_path(path, value::PathSyntax::kDotted);
}

std::size_t size_at(const Value& document, const Path& path) {
    const Value* found = value::find(document, path);
    const Value* value = found != nullptr ? &contained(*found) : nullptr;
    return value == nullptr     ? 0
           : value->is_object() ? value->as_object().size()
           : value->is_array()  ? value->as_array().size()
                                : 0;
}

// The text of a place, described or not; empty where there is none.
std::string text_at(const Value& document, const Path& path) {
    const Value* found = path.empty() ? nullptr : value::find(document, path);
    const Value* value = found != nullptr ? &expr::undescribed(*found) : nullptr;
    return value == nullptr     ? std::string()
           : value->is_string() ? std::string(value->as_string())
           : value->is_number() ? value::print_json(*value)
                                : std::string();
}

namespace {

// Places of a pattern that changes touched, each once.
class Places {
  public:
    Places(const Value& old, const Value& now) : old_(old), now_(now) {}

    // Of `target`, as far as `pattern` (which has some of its names) says which.
    void add(const Pattern& pattern, const Pattern& target, const Path& near) {
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
    void add_all(const Pattern& target) {
        if (all_) {
            return;
        }
        all_ = true;
        visit_matches(target, now_, [&](const Path& path, const Bindings&, const Value&) {
            insert(path);
            return true;
        });
    }
    [[nodiscard]] const std::vector<Path>& list() const noexcept { return list_; }

  private:
    // Formulas name the members of what stands in a pair [value, "description"] as if there were
    // no pair.
    [[nodiscard]] bool reads_through(const Pattern& pattern, const Path& near) const {
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
    void insert(Path path) {
        // Mostly a few, which are compared sooner than printed.
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

    const Value& old_;
    const Value& now_;
    bool all_ = false;
    std::vector<Path> list_;
    std::unordered_set<std::string> seen_;
};

}  // namespace

Reactor::Reactor(const Rulebook& book, const Turn& turn, Stage& stage, VisibilityMemory* cache)
    : book_(book), turn_(turn), stage_(stage), cache_(cache) {
    const Value* all = stage.meta.find(kRulesKey);
    const Value* own =
        all != nullptr && all->is_object() ? all->as_object().find(book.name) : nullptr;
    if (own != nullptr && own->is_object()) {
        memory_ = own->as_object();
    }
    const Value* seen = memory_.find("seen");
    known_ = seen != nullptr && *seen == Value(book.fingerprint);
}

void Reactor::begin() {
    leave();
    const Value& start = turn_.before.document;
    clock_seen_ = start;
    change_seen_ = start;
    daily_seen_ = start;
    range_seen_ = start;
    // Derived values and what is to be cleaned up are checked as a whole the first time.
    derived_seen_ = known_ ? start : Value();
    cleanup_seen_ = derived_seen_;
    hear();
}

void Reactor::round(bool first) {
    midnight(clock_seen_);
    react_to_changes(change_seen_);
    derive(derived_seen_);
    pass_days(daily_seen_);
    if (first) {
        flags();
    }
    keep_ranges(range_seen_);
    clean_up(cleanup_seen_);
    show_and_hide();
}

void Reactor::end() {
    remember_nodes();
    keep_day();
    remember("seen", book_.fingerprint);
    Value all = Object();
    if (const Value* present = stage_.meta.find(kRulesKey);
        present != nullptr && present->is_object()) {
        all = *present;
    }
    stage_.meta =
        std::move(stage_.meta)
            .set(value::Str(kRulesKey), all.as_object().set(value::Str(book_.name), memory_));
}

void Reactor::change(const std::string& rule, const Path& path, Value next) {
    const auto found = [&path](const Value& document) -> std::optional<Value> {
        const Value* value = value::find(document, path);
        return value != nullptr ? std::optional(*value) : std::nullopt;
    };
    stage_.effects.push_back(
        {rule, path, found(document()), found(next), value::diff_of_step(document(), next)});
    stage_.document = std::move(next);
    touched_.push_back(path);
}

void Reactor::put(const std::string& rule, const Path& path, const Value& value, bool creates) {
    const Value* present = at(path);
    if (present == nullptr && !creates) {
        return;
    }
    Path where = path;
    const Value* inner = present == nullptr     ? nullptr
                         : value.is_container() ? &contained(*present)
                                                : &expr::undescribed(*present);
    if (inner != nullptr && *inner == value) {
        return;
    }
    if (inner != present) {
        where.emplace_back(std::int64_t{0});
    }
    // It may be that something on the way is no container.
    if (auto changed = value::set(document(), where, value, value::Parents::kCreate)) {
        change(rule, path, std::move(*changed));
    }
}

void Reactor::remove(const std::string& rule, const Path& path) {
    const Value* present = at(path);
    if (present == nullptr || engine::has_protected(*present)) {
        return;
    }
    if (auto changed = value::erase(document(), path)) {
        change(rule, path, std::move(*changed));
    }
}

void Reactor::remember(std::string_view what, Value value) {
    memory_ = std::move(memory_).set(value::Str(what), std::move(value));
}
Object Reactor::recalled(std::string_view what) const {
    const Value* found = memory_.find(what);
    return found != nullptr && found->is_object() ? found->as_object() : Object();
}

Known Reactor::evaluate(const expr::Formula& formula,
                        const std::vector<expr::Variable>& variables) const {
    return formula.evaluate({document(), variables});
}

// ---- reactions to changes

void Reactor::react_to_changes(Value& seen) {
    const Value now = document();
    const std::vector<Path> places = value::touched_places(value::diff(seen, now));
    for (const Reaction& rule : book_.reactions) {
        Places found(seen, now);
        for (const Path& place : places) {
            found.add(rule.watch, rule.watch, place);
        }
        for (const Path& path : found.list()) {
            const Value* old = value::find(seen, path);
            const Value* fresh = value::find(now, path);
            const bool same = old != nullptr && fresh != nullptr && *old == *fresh;
            Bindings bindings;
            if (!same && matches(rule.watch, path, bindings)) {
                act(rule, bindings, old, fresh);
            }
        }
    }
    seen = now;
}
void Reactor::act(const Reaction& rule, const Bindings& bindings, const Value* old,
                  const Value* fresh) {
    auto variables = variables_of(bindings);
    if (old != nullptr) {
        variables.push_back({"old", expr::undescribed(*old)});
    }
    if (fresh != nullptr) {
        variables.push_back({"new", expr::undescribed(*fresh)});
    }
    if (rule.when && !rule.when->holds({document(), variables})) {
        return;
    }
    for (const Action& action : rule.actions) {
        const auto place = value::bound_path(action.place, bindings);
        if (!place) {
            continue;
        }
        if (!action.to) {
            remove(rule.id, *place);
        } else if (const Known value = evaluate(*action.to, variables)) {
            put(rule.id, *place, *value, action.creates);
        }
    }
}

// ---- derived values

void Reactor::derive(Value& seen) {
    std::vector<Path> places = value::touched_places(value::diff(seen, document()));
    for (const Derived& rule : book_.derived) {
        Places found(seen, document());
        for (const Path& place : places) {
            found.add(rule.place, rule.place, place);
            for (const Pattern& read : rule.formula.reads()) {
                found.add(read, rule.place, place);
            }
        }
        touched_.clear();
        const std::vector<Path> list = found.list();
        for (const Path& path : list) {
            Bindings bindings;
            if (!matches(rule.place, path, bindings)) {
                continue;
            }
            if (const Known value = evaluate(rule.formula, variables_of(bindings))) {
                put(rule.id, path, *value, false);
            }
        }
        places.insert(places.end(), touched_.begin(), touched_.end());
    }
    seen = document();
}

// ---- ranges

void Reactor::keep_ranges(Value& seen) {
    const Value now = document();
    const std::vector<Path> places = value::touched_places(value::diff(seen, now));
    for (const Range& rule : book_.ranges) {
        Places found(seen, now);
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
            const Value* present = at(path);
            if (present == nullptr || !matches(rule.place, path, bindings) || is_derived(path)) {
                continue;
            }
            const Value current = expr::undescribed(*present);
            const auto number = expr::number_of(current);
            auto variables = variables_of(bindings);
            variables.push_back({"old", current});
            variables.push_back({"new", current});
            const auto bound = [&](const std::optional<expr::Formula>& formula) {
                const Known known = formula ? evaluate(*formula, variables) : std::nullopt;
                return known ? expr::number_of(*known) : std::nullopt;
            };
            const auto min = bound(rule.min);
            const auto max = bound(rule.max);
            double fitting = number.value_or(0);
            fitting = min ? std::max(fitting, *min) : fitting;
            fitting = max ? std::min(fitting, *max) : fitting;
            const Known fresh = expr::number_value(fitting);
            if (number && fitting != *number && fresh) {
                put(rule.id, path, *fresh, false);
            }
        }
    }
    seen = now;
}

// What is computed keeps to its formula alone.
bool Reactor::is_derived(const Path& path) const {
    return std::ranges::any_of(book_.derived, [&](const Derived& rule) {
        Bindings bindings;
        return matches(rule.place, path, bindings);
    });
}

// ---- clean-up

void Reactor::clean_up(Value& seen) {
    const Value now = document();
    const std::vector<Path> places = value::touched_places(value::diff(seen, now));
    for (const Cleanup& rule : book_.cleanups) {
        Places found(seen, now);
        for (const Path& place : places) {
            found.add(rule.each, rule.each, place);
            for (const Pattern& read : rule.when.reads()) {
                found.add(read, rule.each, place);
            }
        }
        // Backwards, so that places in a list do not shift under those that follow.
        for (const Path& path : std::views::reverse(found.list())) {
            Bindings bindings;
            const Value* it = at(path);
            if (it == nullptr || !matches(rule.each, path, bindings)) {
                continue;
            }
            auto variables = variables_of(bindings);
            variables.push_back({"it", *it});
            if (rule.when.holds({document(), variables})) {
                remove(rule.id, path);
            }
        }
    }
    // What this took away is looked at in the next round: a condition may read it.
    seen = now;
}

}  // namespace internal

Reacted react(std::span<const std::shared_ptr<const Rulebook>> books, const Turn& turn,
              Memories* memories) {
    if (memories != nullptr) {
        memories->resize(books.size());
    }
    internal::Stage stage{turn.outcome.state.document, turn.outcome.state.meta, {}};
    std::vector<internal::Reactor> reactors;
    reactors.reserve(books.size());
    for (std::size_t i = 0; i < books.size(); ++i) {
        VisibilityMemory* memory = memories != nullptr ? &(*memories)[i] : nullptr;
        reactors.emplace_back(*books[i], turn, stage, memory).begin();
    }
    bool settled = books.empty();
    for (std::size_t round = 0; round < base::kReactionRoundsMax && !settled; ++round) {
        const std::size_t before = stage.effects.size();
        for (internal::Reactor& reactor : reactors) {
            reactor.round(round == 0);
        }
        settled = stage.effects.size() == before;
    }
    for (internal::Reactor& reactor : reactors) {
        reactor.end();
    }
    return {{std::move(stage.document), std::move(stage.meta)}, std::move(stage.effects), settled};
}

}  // namespace arbiter::rules
