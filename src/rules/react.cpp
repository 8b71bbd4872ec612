// Reactions: the end of a turn, and the phases that follow changes.
#include "rules/react.h"

#include <algorithm>
#include <unordered_set>

#include "base/limits.h"
#include "engine/marks.h"
#include "rules/internal/reactor.h"
#include "rules/limit.h"
#include "value/editor.h"

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
    const Value* value = found != nullptr ? &expr::undescribed(*found) : nullptr;
    return value == nullptr     ? 0
           : value->is_object() ? value->as_object().size()
           : value->is_array()  ? value->as_array().size()
                                : 0;
}

// The text of a place, described or not; empty where there is none.
std::string text_at(const Value& document, const Path& path) {
    const Value* found = path.empty() ? nullptr : value::find(document, path);
    const Value* value = found != nullptr ? &expr::undescribed(*found) : nullptr;
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

namespace {

// Places of a pattern that changes touched, each once.
class Places {
  public:
    Places(const Value& old, const Value& now) : old_(old), now_(now) {}

    // Of `target`, as far as `pattern` (which has some of its names) says which.
    void add(const Pattern& pattern, const Pattern& target, const Path& near) {
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

Reactor::Reactor(const Rulebook& book, const Turn& turn, VisibilityMemory* memory)
    : book_(book),
      turn_(turn),
      cache_(memory),
      document_(turn.outcome.state.document),
      meta_(turn.outcome.state.meta) {
    const Value* all = meta_.find(kRulesKey);
    const Value* own =
        all != nullptr && all->is_object() ? all->as_object().find(book.name) : nullptr;
    if (own != nullptr && own->is_object()) {
        memory_ = own->as_object();
    }
    known_ = memory_.contains("seen");
}

Reacted Reactor::run() && {
    leave();
    const Value start = turn_.before.document;
    Value clock_seen = start;
    Value change_seen = start;
    Value daily_seen = start;
    // Derived values and what is to be cleaned up are checked as a whole the first time.
    Value derived_seen = known_ ? start : Value();
    Value cleanup_seen = derived_seen;
    bool settled = false;
    for (std::size_t round = 0; round < base::kReactionRoundsMax && !settled; ++round) {
        const std::size_t before = effects_.size();
        midnight(clock_seen);
        react_to_changes(change_seen);
        derive(derived_seen);
        pass_days(daily_seen);
        if (round == 0) {
            flags();
        }
        clean_up(cleanup_seen);
        settled = effects_.size() == before;
    }
    show_and_hide();
    keep_day();
    memory_ = std::move(memory_).set("seen", true);
    Value all = Object();
    if (const Value* present = meta_.find(kRulesKey); present != nullptr && present->is_object()) {
        all = *present;
    }
    meta_ = std::move(meta_).set(value::Str(kRulesKey),
                                 all.as_object().set(value::Str(book_.name), memory_));
    return {{std::move(document_), std::move(meta_)}, std::move(effects_), settled};
}

void Reactor::change(const std::string& rule, const Path& path, Value next) {
    const auto found = [&path](const Value& document) -> std::optional<Value> {
        const Value* value = value::find(document, path);
        return value != nullptr ? std::optional(*value) : std::nullopt;
    };
    effects_.push_back(
        {rule, path, found(document_), found(next), value::diff_of_step(document_, next)});
    document_ = std::move(next);
    touched_.push_back(path);
}

void Reactor::put(const std::string& rule, const Path& path, const Value& value, bool creates) {
    const Value* present = at(path);
    if (present == nullptr && !creates) {
        return;
    }
    Path where = path;
    const Value* inner = present != nullptr ? &expr::undescribed(*present) : nullptr;
    if (inner != nullptr && *inner == value) {
        return;
    }
    if (inner != present) {
        where.emplace_back(std::int64_t{0});
    }
    // It may be that something on the way is no container.
    if (auto changed = value::set(document_, where, value, value::Parents::kCreate)) {
        change(rule, path, std::move(*changed));
    }
}

void Reactor::remove(const std::string& rule, const Path& path) {
    const Value* present = at(path);
    if (present == nullptr || engine::has_protected(*present)) {
        return;
    }
    if (auto changed = value::erase(document_, path)) {
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
    return formula.evaluate({document_, variables});
}

// ---- reactions to changes

void Reactor::react_to_changes(Value& seen) {
    const Value now = document_;
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
    if (rule.when && !rule.when->holds({document_, variables})) {
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
    std::vector<Path> places = value::touched_places(value::diff(seen, document_));
    for (const Derived& rule : book_.derived) {
        Places found(seen, document_);
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
    seen = document_;
}

// ---- clean-up

void Reactor::clean_up(Value& seen) {
    const std::vector<Path> places = value::touched_places(value::diff(seen, document_));
    for (const Cleanup& rule : book_.cleanups) {
        Places found(seen, document_);
        for (const Path& place : places) {
            found.add(rule.each, rule.each, place);
            for (const Pattern& read : rule.when.reads()) {
                found.add(read, rule.each, place);
            }
        }
        // Backwards, so that places in a list do not shift under those that follow.
        const std::vector<Path> list = found.list();
        for (auto path = list.rbegin(); path != list.rend(); ++path) {
            Bindings bindings;
            const Value* it = at(*path);
            if (it == nullptr || !matches(rule.each, *path, bindings)) {
                continue;
            }
            auto variables = variables_of(bindings);
            variables.push_back({"it", *it});
            if (rule.when.holds({document_, variables})) {
                remove(rule.id, *path);
            }
        }
    }
    seen = document_;
}

}  // namespace internal

Reacted react(const Rulebook& book, const Turn& turn, VisibilityMemory* memory) {
    return internal::Reactor(book, turn, memory).run();
}

}  // namespace arbiter::rules
