#include "engine/internal/world.h"

#include <algorithm>
#include <span>

#include "engine/check.h"
#include "engine/internal/versions.h"
#include "engine/marks.h"

namespace arbiter::engine::internal {

using proposal::Problem;
using value::Bindings;
using value::Object;
using value::Path;
using value::Pattern;
using value::Segment;
using value::Value;

namespace {

constexpr std::string_view kProtectedMark = "_is_protected";
// Suffixes that are tried for a memory whose name is taken.
constexpr int kNamesMax = 10'000;

// Whether the path equals a path of the pattern or lies below one.
bool is_within(const Path& path, const Pattern& pattern) {
    if (path.size() < pattern.size() || !touches(pattern, path)) {
        return false;
    }
    Bindings bindings;
    return matches(pattern,
                   Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(pattern.size())),
                   bindings);
}

std::optional<Code> broken_protection(const Value& before, const Value* after, Actor actor);

// A protected element must be at the same index of a list of the same length, or anywhere
// unchanged.
std::optional<Code> broken_in_list(const value::Array& before, const Value* after, Actor actor) {
    const value::Array now =
        after != nullptr && after->is_array() ? after->as_array() : value::Array();
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (!has_protected(before[i]) || std::ranges::find(now, before[i]) != now.end()) {
            continue;
        }
        const Value* there = now.size() == before.size() ? &now[i] : nullptr;
        if (const auto code = broken_protection(before[i], there, actor)) {
            return code;
        }
    }
    return std::nullopt;
}

// Compares a value with its successor (nullptr: it was removed) and returns the problem if a
// protected node in it was removed or lost its mark.
std::optional<Code> broken_protection(const Value& before, const Value* after, Actor actor) {
    if (is_protected(before)) {
        if (after == nullptr || !after->is_object()) {
            return Code::kProtected;
        }
        if (actor == Actor::kModel && !is_protected(*after)) {
            return Code::kNotAllowed;
        }
    }
    if (after != nullptr && before == *after) {
        return std::nullopt;
    }
    if (before.is_array()) {
        return broken_in_list(before.as_array(), after, actor);
    }
    if (!before.is_object()) {
        return std::nullopt;
    }
    for (const auto& [key, member] : before.as_object()) {
        if (!has_protected(member)) {
            continue;
        }
        if (const auto code = broken_protection(member, value::find_member(after, key), actor)) {
            return code;
        }
    }
    return std::nullopt;
}

// Whether the protected nodes on the way to a place and in its old value are still protected.
bool keeps_protected(Work& work, const Value& before, const Path& place) {
    const Value* old = &before;
    const Value* now = &work.document();
    for (std::size_t i = 0; i <= place.size(); ++i) {
        if (is_protected(*old) && (now == nullptr || !now->is_object() || !is_protected(*now))) {
            const Code code =
                now != nullptr && now->is_object() ? Code::kNotAllowed : Code::kProtected;
            if (code == Code::kProtected || work.context.actor == Actor::kModel) {
                return work.fail(code, {detail_of(place)});
            }
        }
        if (i == place.size()) {
            break;
        }
        const auto next = step_into(*old, place[i]);
        if (!next) {
            return true;
        }
        const auto next_now = now != nullptr ? step_into(*now, place[i]) : std::nullopt;
        old = next->value;
        now = next_now ? next_now->value : nullptr;
    }
    if (const auto code = broken_protection(*old, now, work.context.actor)) {
        return work.fail(*code, {detail_of(place)});
    }
    return true;
}

// Whether a filtered-out node in the value was changed or removed.
bool loses_hidden(const Value& before, const Value* after) {
    if (after != nullptr && before == *after) {
        return false;
    }
    if (is_filtered_out(before)) {
        return true;
    }
    if (before.is_array()) {
        // Elements are compared by value, since their indexes may have changed.
        const value::Array now =
            after != nullptr && after->is_array() ? after->as_array() : value::Array();
        return std::ranges::any_of(before.as_array(), [&](const Value& each) {
            return std::ranges::find(now, each) == now.end() && loses_hidden(each, nullptr);
        });
    }
    return before.is_object() &&
           std::ranges::any_of(before.as_object(), [&](const value::Member& member) {
               return loses_hidden(member.value, value::find_member(after, member.key));
           });
}

// The model must not replace a filtered-out node as a whole; it may write single fields in it.
bool keeps_hidden(Work& work, const Value& before, const Path& place) {
    const Value* node = &before;
    for (std::size_t i = 0; i < place.size(); ++i) {
        const auto next = step_into(*node, place[i]);
        if (!next) {
            return true;
        }
        node = next->value;
        if (i + 1 >= work.path.size() && is_filtered_out(*node)) {
            return work.fail(Code::kHiddenNode,
                             {detail_of(Path(place.begin(),
                                             place.begin() + static_cast<std::ptrdiff_t>(i) + 1))});
        }
    }
    return true;
}

// Nor may it replace a parent with a filtered-out node inside.
bool keeps_inner(Work& work, const Value& before, const Path& place) {
    const Value* old = value::find(before, place);
    return old == nullptr || !loses_hidden(*old, work.at(place)) ||
           work.fail(Code::kHiddenNode, {detail_of(place)});
}

// Whether a delete or move takes a filtered-out or computed node. The document before the batch
// counts too, so that the model cannot switch the filter off first.
bool keeps_taken(Work& work, const Value& before, const Value& start) {
    const bool moves = work.instruction.op == Op::kMove;
    std::vector<Path> taken = {moves ? work.from : work.path};
    if (!moves && work.instruction.key) {
        taken = value::touched_places(value::diff_of_step(before, work.document()));
    }
    for (const Path& place : taken) {
        for (const Value* document : {&before, &start}) {
            const Value* node = value::find(*document, place);
            if (node != nullptr && is_filtered_out(*node) && work.context.actor == Actor::kModel) {
                return work.fail(Code::kHiddenNode, {detail_of(place)});
            }
        }
        if (std::ranges::any_of(work.policy.derived, [&](const Pattern& pattern) {
                return is_within(place, pattern);
            })) {
            return work.fail(Code::kDerived, {detail_of(place)});
        }
    }
    return true;
}

// Restores computed values that were replaced together with a parent.
bool keeps_derived(Work& work, const Value& before, const std::vector<Path>& places) {
    std::vector<std::pair<Path, Value>> kept;
    for (const Pattern& pattern : work.policy.derived) {
        for (const Path& place : places) {
            if (!touches(pattern, place)) {
                continue;
            }
            visit_near(pattern, before, place,
                       [&](const Path& path, const Bindings&, const Value& old) {
                           // An element may have moved; its computed values are derived anew.
                           const bool in_list = std::ranges::any_of(path, &Segment::is_index);
                           const Path parent(path.begin(), path.end() - (path.empty() ? 0 : 1));
                           const Value* around = work.at(parent);
                           const Value* now = work.at(path);
                           if (!in_list && around != nullptr && around->is_object() &&
                               (now == nullptr || *now != old)) {
                               kept.emplace_back(path, old);
                           }
                           return true;
                       });
        }
    }
    for (auto& [path, value] : kept) {
        work.warn(Warning::kProtected);
        if (!work.put(path, std::move(value), true)) {
            return false;
        }
    }
    return true;
}

// Runs one check on the changed places of its pattern.
class CheckRun {
  public:
    CheckRun(Work& work, const Check& check, const Value& before, const Value& start)
        : work_(work), check_(check), before_(before), start_(start) {}

    bool at(const Path& place) {
        bool fine = true;
        std::vector<std::pair<Path, Value>> clamps;
        const auto look = [&](const Path& path, const Bindings& bindings, const Value* old,
                              const Value* now) {
            if (old != nullptr && now != nullptr && *old == *now) {
                return true;
            }
            const CheckResult result =
                check_.judge({start_, before_, work_.document(), work_.meta, path, bindings, old,
                              now, work_.context.actor});
            if (result.warning) {
                work_.warn(*result.warning);
            }
            if (result.action == CheckResult::Action::kClamp) {
                clamps.emplace_back(path, result.value);
            } else if (result.action == CheckResult::Action::kRefuse) {
                fine = work_.fail(result.problem->code, result.problem->details);
            }
            return fine;
        };
        visit_near(check_.place(), work_.document(), place,
                   [&](const Path& path, const Bindings& bindings, const Value& now) {
                       return look(path, bindings, value::find(before_, path), &now);
                   });
        // Removed places.
        visit_near(check_.place(), before_, place,
                   [&](const Path& path, const Bindings& bindings, const Value& old) {
                       return !fine || work_.at(path) != nullptr ||
                              look(path, bindings, &old, nullptr);
                   });
        for (auto& [path, value] : clamps) {
            work_.warn(Warning::kClamped);
            fine = fine && work_.put(path, std::move(value), false);
        }
        return fine;
    }

  private:
    Work& work_;
    const Check& check_;
    const Value& before_;
    const Value& start_;
};

}  // namespace

Path redirect_path(const Instruction& instruction, Path path, const Policy& policy,
                   const Value& document) {
    for (const KeyAlias& alias : policy.aliases) {
        const std::size_t place = alias.container.size();
        if (path.size() <= place || path[place].is_index() || path[place].key() != alias.name ||
            !std::equal(alias.container.begin(), alias.container.end(), path.begin())) {
            continue;
        }
        const Value* container = value::find(document, alias.container);
        if (container != nullptr && container->is_object() &&
            !container->as_object().contains(alias.name) &&
            container->as_object().contains(alias.key)) {
            path[place] = Segment(std::string_view(alias.key));
        }
    }
    const bool writes = instruction.op == Op::kSet || instruction.op == Op::kMerge;
    if (!writes || path.empty() || path.back().is_index() || !instruction.value) {
        return path;
    }
    for (const Pattern& pattern : policy.memories) {
        Bindings bindings;
        const Value* present =
            matches(pattern, path, bindings) ? value::find(document, path) : nullptr;
        if (present == nullptr || equal_content(*present, *instruction.value)) {
            continue;
        }
        const std::string name(path.back().key());
        for (int i = 1; i < kNamesMax && value::find(document, path) != nullptr; ++i) {
            path.back() = Segment(std::string_view(name + "-" + std::to_string(i)));
        }
    }
    return path;
}

std::optional<Problem> check_places(const Instruction& instruction, const std::vector<Path>& places,
                                    const Policy& policy, const Context& context,
                                    const Value& document) {
    if (instruction.op == Op::kTest) {
        return std::nullopt;
    }
    for (const Path& place : places) {
        for (const Pattern& pattern : policy.derived) {
            if (is_within(place, pattern)) {
                return Problem{Code::kDerived, {detail_of(place)}};
            }
        }
        if (context.actor != Actor::kModel) {
            continue;
        }
        const Value* node = value::find(document, place);
        if (node != nullptr && is_filtered_out(*node)) {
            return Problem{Code::kHiddenNode, {detail_of(place)}};
        }
        const bool is_mark =
            !place.empty() && !place.back().is_index() && place.back().key() == kProtectedMark;
        const bool sets =
            instruction.op == Op::kSet && instruction.value && is_mark_set(&*instruction.value);
        if (is_mark && node != nullptr && is_mark_set(node) && !sets) {
            return Problem{Code::kNotAllowed, {detail_of(place)}};
        }
    }
    return std::nullopt;
}

bool is_surely_open(const Path& path, const Value* present) {
    const bool is_mark =
        !path.empty() && !path.back().is_index() && path.back().key() == kProtectedMark;
    return !is_mark && (present == nullptr || !is_filtered_out(*present));
}

bool check_world(Work& work, const Value& start) {
    if (work.context.actor == Actor::kSystem) {
        return true;
    }
    const Value& before = work.before.document;
    const std::vector<Path> places = value::touched_places(work.changes());
    // A delete may take filtered-out nodes inside a larger one with it, as leaving a world does.
    const bool takes = work.instruction.op == Op::kDelete || work.instruction.op == Op::kMove;
    const bool sees_all = takes || work.context.actor != Actor::kModel;
    // No mark can be lost by it.
    const bool unmarked = work.is_unmarked_swap();
    for (const Path& place : places) {
        if ((!unmarked && !keeps_protected(work, before, place)) ||
            (!sees_all && ((!unmarked && !keeps_hidden(work, before, place)) ||
                           !keeps_hidden(work, start, place) ||
                           (!unmarked && !keeps_inner(work, before, place))))) {
            return false;
        }
    }
    if ((takes && !keeps_taken(work, before, start)) ||
        (work.instruction.op != Op::kDelete && !keeps_derived(work, before, places))) {
        return false;
    }
    for (const auto& check : work.policy.checks) {
        for (const Path& place : places) {
            if (touches(check->place(), place) &&
                !CheckRun(work, *check, before, start).at(place)) {
                return false;
            }
        }
    }
    return true;
}

}  // namespace arbiter::engine::internal
