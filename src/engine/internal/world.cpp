#include "engine/internal/world.h"

#include <algorithm>
#include <span>

#include "engine/internal/check_run.h"
#include "engine/internal/missing_elements.h"
#include "engine/internal/versions.h"
#include "engine/marks.h"
#include "engine/numbers.h"

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
constexpr std::string_view kFilterMark = "_filter";
constexpr std::string_view kShownMark = "_showInEJS";

// Whether the path equals a path of the pattern or is below one.
bool is_within(const Path& path, const Pattern& pattern) {
    if (path.size() < pattern.size() || !touches(pattern, path)) {
        return false;
    }
    Bindings bindings;
    return matches(pattern,
                   Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(pattern.size())),
                   bindings);
}

bool is_computed(const Path& place, const Policy& policy) {
    return std::ranges::any_of(index_of(policy).derived.find(place), [&](std::uint32_t number) {
        return is_within(place, policy.derived[number]);
    });
}

// Whether only the system may write there: a computed place, or a read-only one that exists.
bool is_fixed(const Path& place, const Policy& policy, const Value& document) {
    return is_computed(place, policy) ||
           std::ranges::any_of(index_of(policy).read_only.find(place), [&](std::uint32_t number) {
               const Pattern& each = policy.read_only[number];
               return is_within(place, each) &&
                      value::find(document, place, each.size()) != nullptr;
           });
}

// The details of the problem that a place is fixed.
std::vector<std::string> fixed_details(const Path& place, const Policy& policy) {
    std::vector<std::string> details = {detail_of(place)};
    if (!is_computed(place, policy)) {
        details.emplace_back("read_only");
    }
    return details;
}

std::optional<Code> broken_protection(const Value& before, const Value* after, Actor actor);

// A protected element must be at the same index of a list of the same length, or anywhere
// unchanged.
std::optional<Code> broken_in_list(const Value& before, const Value* after, Actor actor) {
    const value::Array& old = before.as_array();
    const bool has_same_size =
        after != nullptr && after->is_array() && after->as_array().size() == old.size();
    for (const std::size_t i : missing_elements(before, after, has_protected)) {
        const Value* there = has_same_size ? &after->as_array()[i] : nullptr;
        if (const auto code = broken_protection(old[i], there, actor)) {
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
        return broken_in_list(before, after, actor);
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

bool is_mark(const Path& path, std::string_view mark) {
    return !path.empty() && !path.back().is_index() && path.back().key() == mark;
}

bool names_mark(const Value& value) {
    if (value.is_array()) {
        return std::ranges::any_of(value.as_array(), names_mark);
    }
    return value.is_object() &&
           std::ranges::any_of(value.as_object(), [](const value::Member& member) {
               return member.key == kProtectedMark || names_mark(member.value);
           });
}

// Only a command that names the mark gets the refusal.
bool fail_protection(Work& work, Code code, const Path& place, const Path& node) {
    const bool about_mark = is_mark(work.path, kProtectedMark) ||
                            (work.instruction.value && names_mark(*work.instruction.value));
    return code == Code::kNotAllowed && !about_mark ? work.fail(Code::kProtected, {detail_of(node)})
                                                    : work.fail(code, {detail_of(place)});
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
                const Path node(place.begin(), place.begin() + static_cast<std::ptrdiff_t>(i));
                return fail_protection(work, code, place, node);
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
        const auto nodes = protected_paths(*old, place, 1);
        return fail_protection(work, *code, place, nodes.empty() ? place : nodes[0]);
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
        return !missing_elements(before, after, [](const Value& each) {
                    return loses_hidden(each, nullptr);
                }).empty();
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

// Nor may it replace, move or delete a parent with a filtered-out node inside.
bool keeps_inner(Work& work, const Value& before, const Path& place) {
    const Value* found = value::find(before, place);
    if (found == nullptr) {
        return true;
    }
    Value old = *found;
    for (const Path& emptied : work.policy.emptied) {
        // Leaving a world takes its filtered-out nodes too: they are archived.
        if (work.instruction.op != Op::kDelete || !begins_with(emptied, work.path)) {
            continue;
        }
        if (begins_with(place, emptied)) {
            return true;
        }
        if (begins_with(emptied, place)) {
            const Path inside(emptied.begin() + static_cast<std::ptrdiff_t>(place.size()),
                              emptied.end());
            auto rest = value::erase(old, inside);
            old = rest ? *std::move(rest) : std::move(old);
        }
    }
    if (!loses_hidden(old, work.at(place))) {
        return true;
    }
    const bool moves = work.instruction.op == Op::kMove;
    std::vector<std::string> details = {detail_of(moves ? work.from : place)};
    if (!is_filtered_out(old)) {
        details.emplace_back("inside");
    }
    return work.fail(Code::kHiddenNode, std::move(details));
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
        if (is_fixed(place, work.policy, before)) {
            return work.fail(Code::kDerived, fixed_details(place, work.policy));
        }
    }
    return true;
}

// Whether `now` has every member of `old`, or at least as many elements.
bool has_all_entries(const Value& old, const Value& now) {
    if (old.is_array()) {
        return now.is_array() && now.as_array().size() >= old.as_array().size();
    }
    return now.is_object() && std::ranges::all_of(old.as_object(), [&](const auto& member) {
               return value::find_member(&now, member.key) != nullptr;
           });
}

// Whether the data that rules depend on is still there: values are unchanged and containers have
// their members. The model may delete single entries, but not the container, nor what it holds by
// addressing the container.
bool keeps_data(Work& work, const Value& before) {
    const Path& taken = work.instruction.op == Op::kMove ? work.from : work.path;
    for (const std::uint32_t number : index_of(work.policy).kept.find(taken)) {
        const Path& kept = work.policy.kept[number];
        const Value* old = begins_with(kept, taken) ? value::find(before, kept) : nullptr;
        const Value* now = old != nullptr ? work.at(kept) : nullptr;
        if (old == nullptr || (now != nullptr && *now == *old)) {
            continue;
        }
        if (!old->is_object() && !old->is_array()) {
            return work.fail(Code::kNotAllowed, {detail_of(kept), "the rules set it themselves"});
        }
        if (now == nullptr || !has_all_entries(*old, *now)) {
            return work.fail(Code::kNotAllowed,
                             {detail_of(kept), "the rules need it; delete single entries"});
        }
    }
    return true;
}

// The place of a node after the move of one of its parents.
std::optional<Path> moved_place(const Work& work, const Value& before, const Path& path) {
    const Path from = canonical(work.from, before);
    if (work.instruction.op != Op::kMove || !begins_with(path, from)) {
        return std::nullopt;
    }
    Path there = canonical(work.path, work.document());
    there.insert(there.end(), path.begin() + static_cast<std::ptrdiff_t>(from.size()), path.end());
    return there;
}

// Puts a computed or read-only node back after its parent was deleted, replaced, moved or emptied.
bool put_back(Work& work, const Value& before, const Path& path, Value old) {
    work.warn({Warning::kProtected, {detail_of(path)}});
    // The node is at its place only.
    if (const auto there = moved_place(work, before, path);
        there && work.at(*there) != nullptr && !work.erase(*there)) {
        return false;
    }
    // A parent that is something else now cannot hold it.
    for (std::size_t i = 1; i < path.size(); ++i) {
        const Path parent(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(i));
        const Value* around = work.at(parent);
        if (around != nullptr && !around->is_object() && !work.put(parent, Object(), false)) {
            return false;
        }
    }
    return work.put(path, std::move(old), true);
}

// Whether an entry of a collection is gone, and with it the node that a rule computes in every
// entry: 战力 of people.*.战力 when a person was deleted.
bool is_entry_gone(Work& work, const Pattern& pattern, const Path& path) {
    std::size_t entry = pattern.size();  // segments of its path
    while (entry > 0 && pattern[entry - 1].kind == value::PatternStep::Kind::kPlain) {
        --entry;
    }
    if (entry == 0 || entry >= path.size()) {
        return false;
    }
    const auto part = [&](std::size_t size) {
        return work.at(Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(size)));
    };
    const Value* collection = part(entry - 1);
    return part(entry) == nullptr && collection != nullptr && collection->is_object();
}

// Keeps computed and read-only nodes whose parents the instruction takes away or replaces.
bool keeps_fixed(Work& work, const Value& before, const std::vector<Path>& places) {
    std::vector<std::pair<Path, Value>> kept;
    const auto collect = [&](const std::vector<Pattern>& patterns,
                             const value::PatternIndex& index) {
        for (const auto& [number, place_number] : touching(index, places)) {
            const Pattern& pattern = patterns[number];
            const Path& place = places[place_number];
            visit_near(
                pattern, before, place, [&](const Path& path, const Bindings&, const Value& old) {
                    // An element may have moved; its computed values are derived anew.
                    const bool in_list = std::ranges::any_of(path, &Segment::is_index);
                    const Value* now = work.at(path);
                    if (in_list || path.empty() || (now != nullptr && *now == old)) {
                        return true;
                    }
                    // It moved to another place of its rule.
                    Bindings bindings;
                    const auto there = moved_place(work, before, path);
                    const bool moved = there && matches(pattern, *there, bindings);
                    const bool gone =
                        &patterns == &work.policy.derived && is_entry_gone(work, pattern, path);
                    if (!moved && !gone) {
                        kept.emplace_back(path, old);
                    }
                    return true;
                });
        }
    };
    collect(work.policy.derived, index_of(work.policy).derived);
    collect(work.policy.read_only, index_of(work.policy).read_only);
    return std::ranges::all_of(kept, [&](std::pair<Path, Value>& each) {
        return put_back(work, before, each.first, std::move(each.second));
    });
}

}  // namespace

std::optional<Problem> check_places(const Instruction& instruction, const std::vector<Path>& places,
                                    const Policy& policy, const Context& context,
                                    const Value& document) {
    if (instruction.op == Op::kTest) {
        return std::nullopt;
    }
    for (const Path& place : places) {
        if (is_fixed(place, policy, document)) {
            return Problem{Code::kDerived, fixed_details(place, policy)};
        }
        if (context.actor != Actor::kModel) {
            continue;
        }
        const Value* node = value::find(document, place);
        if (node != nullptr && is_filtered_out(*node)) {
            return Problem{Code::kHiddenNode, {detail_of(place)}};
        }
        const bool sets =
            instruction.op == Op::kSet && instruction.value && is_mark_set(&*instruction.value);
        if (is_mark(place, kProtectedMark) && node != nullptr && is_mark_set(node) && !sets) {
            return Problem{Code::kNotAllowed, {detail_of(place)}};
        }
        if (is_mark(place, kFilterMark) || is_mark(place, kShownMark)) {
            const Value* around = value::find(document, place, place.size() - 1);
            if (around != nullptr && is_filtered_out(*around)) {
                return Problem{Code::kNotAllowed,
                               {detail_of(place), "it hides a node that you cannot see"}};
            }
        }
    }
    return std::nullopt;
}

bool is_surely_open(const Path& path, const Value* present) {
    const bool mark =
        is_mark(path, kProtectedMark) || is_mark(path, kFilterMark) || is_mark(path, kShownMark);
    return !mark && (present == nullptr || !is_filtered_out(*present));
}

bool check_world(Work& work, const State& start) {
    const bool is_system = work.context.actor == Actor::kSystem;
    if (is_system && !work.context.is_text) {
        return true;
    }
    const Value& before = work.before.document;
    const std::vector<Path> places = value::touched_places(work.changes());
    if (is_system) {
        return run_checks(work, start, places);
    }
    const bool takes = work.instruction.op == Op::kDelete || work.instruction.op == Op::kMove;
    const bool sees_all = work.context.actor != Actor::kModel;
    // No mark can be lost by it.
    const bool unmarked = work.is_unmarked_swap();
    for (const Path& place : places) {
        if ((!unmarked && !keeps_protected(work, before, place)) ||
            (!sees_all && !takes &&
             ((!unmarked && !keeps_hidden(work, before, place)) ||
              !keeps_hidden(work, start.document, place))) ||
            (!sees_all && !unmarked && !keeps_inner(work, before, place))) {
            return false;
        }
    }
    if ((takes && !keeps_taken(work, before, start.document)) ||
        !keeps_fixed(work, before, places) ||
        (work.context.actor == Actor::kModel && !keeps_data(work, before))) {
        return false;
    }
    if (work.instruction.op == Op::kMove && index_of(work.policy).counts_changes) {
        const Path from = canonical(work.from, before);
        note_move(work.meta, counting_checks(work.policy, {from}), before, from,
                  canonical(work.path, work.document()));
    }
    return run_checks(work, start, places);
}

}  // namespace arbiter::engine::internal
