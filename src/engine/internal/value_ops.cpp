#include "engine/internal/value_ops.h"

#include "engine/internal/access.h"
#include "engine/internal/arithmetic.h"
#include "engine/internal/dates.h"
#include "engine/internal/guards.h"
#include "engine/internal/ops.h"
#include "engine/internal/structure.h"
#include "engine/internal/text_places.h"
#include "engine/internal/versions.h"
#include "engine/internal/where.h"
#include "proposal/shape.h"
#include "value/described.h"
#include "value/json.h"

namespace arbiter::engine::internal {

using proposal::Arithmetic;
using proposal::Described;
using proposal::MergeKind;
using value::Array;
using value::Merge;
using value::Object;
using value::Path;
using value::Value;

namespace {

// The instants that print_instant writes with four digits of a year.
constexpr double kYearOne = -62'135'596'800'000.0;
constexpr double kYear9999End = 253'402'300'799'999.0;

std::optional<Merge> strategy_of(const Work& work) {
    const Value* strategy = work.option("mergeStrategy");
    if (strategy == nullptr) {
        return std::nullopt;
    }
    return merge_named(strategy->as_string());
}

// The problem of a value that cannot take the place of another, or change it.
bool fail_text(Work& work, const Path& where, const Value& present, const Value& value) {
    return work.fail(Code::kTypeMismatch,
                     {detail_of(where), std::string(value::name(present.kind())),
                      std::string(value::name(value.kind())), detail_of(value)});
}

// Whether the dialect refuses a text in the place of a number.
bool guards_types(const Work& work) {
    return work.instruction.described != Described::kNumbers;
}

// A number, true or false in the place of a text. False, with the problem set, if the rules say
// that the value is a text.
bool fit_over_text(Work& work, const Path& where, const Value& present, const Value& value) {
    if (!guards_types(work)) {
        return true;
    }
    if (is_declared_text(work.policy, where)) {
        return fail_text(work, where, present, value);
    }
    if (value.is_number()) {
        remember_text(work.meta, where);
    }
    return true;
}

// A text in the place of a number: read as a number if it is one, also with a unit; otherwise as
// the dialect says. False, with the problem set, if it is refused.
bool fit_text(Work& work, const Path& where, const Value& present, Value& value) {
    if (guards_types(work) &&
        (is_declared_text(work.policy, where) || was_text(work.meta, where))) {
        forget_text(work.meta, where);
        return true;
    }
    if (work.policy.coercion == Coercion::kRefuse) {
        return fail_text(work, where, present, value);
    }
    if (proposal::as_fraction(value.as_string())) {
        return work.fail(Code::kBadValue,
                         {detail_of(where), "the current value alone, such as 45"});
    }
    if (!work.instruction.coerces) {
        return true;
    }
    if (const auto number = proposal::as_quantity(value)) {
        work.warn({Warning::kNumberCoerced, {detail_of(value), detail_of(*number)}});
        value = *number;
        return true;
    }
    if (work.instruction.described != Described::kNumbers) {
        return fail_text(work, where, present, value);
    }
    work.warn({Warning::kTypeChanged, {detail_of(where), detail_of(present), detail_of(value)}});
    return true;
}

// MVU: true, false and the number in a list of one become the value of a described number.
bool fit_number(Work& work, const Path& where, const Value& present, Value& value) {
    Value inner = value;
    while (inner.is_array() && inner.as_array().size() == 1) {
        inner = Value(inner.as_array()[0]);
    }
    const bool empty = value.is_array() && value.as_array().empty();
    const bool wrapped = value.is_array() && value.as_array().size() == 1;
    if (empty || (wrapped && !inner.is_number() && !inner.is_string())) {
        return fail_text(work, where, present, value);
    }
    if (value.is_bool()) {
        inner = value.as_bool() ? 1 : 0;
    }
    if (inner.is_number() && !value.is_number()) {
        work.warn({Warning::kNumberCoerced, {detail_of(value), detail_of(inner)}});
    }
    value = std::move(inner);
    return !value.is_string() || fit_text(work, where, present, value);
}

// Compares a value with the one whose place it takes, member by member, and fits the texts that
// replace numbers.
bool fit_types(Work& work, const Path& where, const Value& present, Value& value) {
    const bool mvu = work.instruction.described == Described::kMvu;
    if (is_transparent(present, work.instruction.described) && !(mvu && work.policy.strict_set)) {
        const Value& first = present.as_array()[0];
        if (is_transparent(value, work.instruction.described)) {
            Value inner = value.as_array()[0];
            if (!fit_types(work, where, first, inner)) {
                return false;
            }
            if (inner != value.as_array()[0]) {
                value = value.as_array().set(0, std::move(inner));
            }
            return true;
        }
        if (mvu && first.is_number() && where == work.path) {
            return fit_number(work, where, first, value);
        }
        return value.is_container() || fit_types(work, where, first, value);
    }
    if (present.is_number() && value.is_string()) {
        return fit_text(work, where, present, value);
    }
    if (present.is_string() && (value.is_number() || value.is_bool())) {
        return fit_over_text(work, where, present, value);
    }
    if (!present.is_object() || !value.is_object()) {
        return true;
    }
    Object fitted = value.as_object();
    for (const auto& [key, member] : value.as_object()) {
        const Value* old = present.as_object().find(key);
        if (old == nullptr) {
            continue;
        }
        Value fresh = member;
        if (!fit_types(work, child_of(where, key), *old, fresh)) {
            return false;
        }
        if (fresh != member) {
            fitted = std::move(fitted).set(key, std::move(fresh));
        }
    }
    value = std::move(fitted);
    return true;
}

// The fields of a character and of the moment are fixed: an object keeps its members, and a value
// does not become an object, since nothing could set the field again. Open places may hold both.
bool keeps_fields(Work& work, const Value& present, const Value& value) {
    const proposal::Mount mount = work.instruction.mount;
    const bool fixed = mount == proposal::Mount::kCharacter || mount == proposal::Mount::kStatus;
    if (!fixed || present.is_object() == value.is_object() ||
        value::undescribed(present).is_null() || is_open(work.policy, work.document(), work.path)) {
        return true;
    }
    return fail_text(work, work.path, value::undescribed(present), value);
}

// Whether the first elements of two pairs are of one kind.
bool is_same_kind(const Value& pair, const Value& other) {
    if (!pair.is_array() || pair.as_array().empty() || other.as_array().empty()) {
        return false;
    }
    const Value& first = pair.as_array()[0];
    const Value& second = other.as_array()[0];
    return first.kind() == second.kind() || (first.is_number() && second.is_number());
}

// The fields named by uniqueBy, joined to one key; nothing if the value lacks one of them.
std::optional<std::string> joined_key(const Object& value, const Value& unique) {
    std::string key;
    bool whole = true;
    bool first = true;
    const auto add = [&](std::string_view field) {
        const Value* part = field_of(value, field);
        key += first ? "" : "|";
        first = false;
        // Null or an object cannot be the name of a member.
        if (part == nullptr || part->is_null() || part->is_container()) {
            whole = false;
        } else {
            key += part->is_string() ? std::string(part->as_string()) : value::print_json(*part);
        }
    };
    if (unique.is_string()) {
        add(unique.as_string());
    } else {
        for (const Value& field : unique.as_array()) {
            add(field.as_string());
        }
    }
    return whole && !key.empty() ? std::optional(std::move(key)) : std::nullopt;
}

bool add_member(Work& work, const Object& map, const std::string& key, const Value& value) {
    Path member = work.path;
    member.emplace_back(std::string_view(key));
    work.written.emplace();
    if (proposal::is_dangerous(key)) {
        return work.fail(Code::kSecurityRisk, {key});
    }
    if (const Value* present = map.find(key)) {
        const std::string conflict =
            work.text_option("onConflict", std::string(name(work.policy.on_conflict)));
        if (conflict == "ignore") {
            return true;
        }
        if (conflict == "error") {
            return work.fail(Code::kUniqueViolation, {detail_of(work.path), key});
        }
        work.written->push_back(member);
        return work.put(
            member, conflict == "merge" ? value::merge(*present, value, Merge::kShallow) : value,
            true);
    }
    work.written->push_back(member);
    return work.put(member, value, true);
}

// `add` on an object: one member under its unique key, or all members that are missing.
bool add_to_map(Work& work, const Object& map, const Value& value) {
    work.verdict.op = Op::kInsert;
    if (const Value* unique = work.option("uniqueBy")) {
        const auto key = joined_key(value.as_object(), *unique);
        if (!key) {
            return work.fail(Code::kBadValue,
                             {work.proposal.verb, detail_of(*unique), "uniqueBy", ""});
        }
        return add_member(work, map, *key, value);
    }
    const Object& members = value.as_object();
    if (members.size() == 1) {
        const auto only = members.at(0);
        return add_member(work, map, std::string(only.key.view()), only.value);
    }
    work.written.emplace();
    for (const auto& [key, member] : members) {
        Path path = work.path;
        path.emplace_back(key);
        if (map.contains(key)) {
            continue;
        }
        if (!work.put(path, member, true)) {
            return false;
        }
        work.written->push_back(std::move(path));
    }
    return true;
}

bool add_to_list(Work& work, const Array& list, const Value& value) {
    work.verdict.op = Op::kPush;
    for (const Value& element : list) {
        if (is_same_element(work, element, value)) {
            return work.fail(Code::kUniqueViolation, {detail_of(work.path), detail_of(value)});
        }
    }
    Path end = work.path;
    end.emplace_back(static_cast<std::int64_t>(list.size()));
    work.written = {end};
    return work.put(end, value, false);
}

// The number that a change is by: here 1/2 is a half.
std::optional<Value> operand_of(const Value& value) {
    if (auto number = proposal::as_quantity(value)) {
        return number;
    }
    const auto fraction =
        value.is_string() ? proposal::as_fraction(value.as_string()) : std::nullopt;
    return fraction ? calculate(fraction->above, Arithmetic::kDivide, fraction->below)
                    : std::nullopt;
}

bool change_number(Work& work, const Path& where, const Value& present, Arithmetic arithmetic) {
    const auto operand = operand_of(*work.instruction.value);
    if (!operand ||
        (work.policy.coercion == Coercion::kRefuse && work.instruction.value->is_string())) {
        return fail_text(work, work.path, present, *work.instruction.value);
    }
    if (!work.instruction.value->is_number()) {
        work.warn(
            {Warning::kNumberCoerced, {detail_of(*work.instruction.value), detail_of(*operand)}});
    }
    const auto result = calculate(present, arithmetic, *operand);
    if (!result) {
        const bool zero = arithmetic == Arithmetic::kDivide && operand->as_double() == 0;
        return zero ? work.fail(Code::kDivideByZero, {detail_of(work.path)})
                    : work.fail_type(present, "a smaller number");
    }
    return work.put(where, *result, true);
}

// MVU: a number added to a date string is milliseconds.
bool change_date(Work& work, const Path& where, const Value& present) {
    const auto date = parse_date(present.as_string());
    const Value& delta = *work.instruction.value;
    if (!date || !delta.is_number()) {
        return work.fail_type(present, "number");
    }
    const double moved = static_cast<double>(*date) + delta.as_double();
    if (moved < kYearOne || moved > kYear9999End) {
        return work.fail_type(present, "number");
    }
    return work.put(where, Value(std::string_view(print_instant(static_cast<Instant>(moved)))),
                    false);
}

// Merges the members of `fresh` into `old`, the object at `where`, as the memory modules do: a
// described value keeps its description; `deep` merges objects recursively. `guard` says which
// members may be created, nullptr: all. Returns nothing, with its path in `missing`, if one may
// not.
std::optional<Value> with_members(const Object& old, const Object& fresh, bool deep, Path where,
                                  const Work* guard, Path& missing) {
    Object out = old;
    for (const auto& [key, value] : fresh) {
        const Value* present = old.find(key);
        where.emplace_back(key);
        if (present == nullptr && guard != nullptr && !guard->instruction.creates &&
            !is_open(guard->policy, guard->document(), where)) {
            missing = std::move(where);
            return std::nullopt;
        }
        if (deep && present != nullptr && present->is_object() && value.is_object()) {
            auto inner =
                with_members(present->as_object(), value.as_object(), deep, where, guard, missing);
            if (!inner) {
                return std::nullopt;
            }
            out = std::move(out).set(key, std::move(*inner));
        } else if (present != nullptr && !value.is_container() &&
                   is_transparent(*present, Described::kModules)) {
            out = std::move(out).set(key, present->as_array().set(0, value));
        } else {
            out = std::move(out).set(key, value);
        }
        where.pop_back();
    }
    return out;
}

}  // namespace

bool run_set(Work& work) {
    Value value = sanitized(work, *work.instruction.value);
    const Value* present = work.target();
    const bool creates = work.may_create(work.path);
    if (present == nullptr && !creates) {
        return work.fail(Code::kNotFound, {detail_of(work.path)});
    }
    if (present != nullptr &&
        (!keeps_fields(work, *present, value) || !fit_types(work, work.path, *present, value))) {
        return false;
    }
    if (work.instruction.described == Described::kModules && present != nullptr &&
        present->is_object() && value.is_object()) {
        // Only the named members change; missing ones are not created.
        Path missing;
        auto merged =
            with_members(present->as_object(), value.as_object(), true, work.path, &work, missing);
        if (!merged) {
            return work.fail(Code::kNotFound, {detail_of(missing)});
        }
        return work.put(work.path, std::move(*merged), false);
    }
    if (const auto strategy = strategy_of(work);
        strategy && *strategy != Merge::kReplace && present != nullptr && value.is_container()) {
        return work.put(work.path, value::merge(*present, value, *strategy), true);
    }
    // A scalar set on a described value replaces its first element. MVU does so for any value but
    // a pair with a description of its own, which replaces the whole pair.
    const bool inside =
        present != nullptr && !work.policy.strict_set &&
        (work.instruction.described == Described::kMvu
             ? !(is_transparent(value, Described::kMvu) && is_same_kind(*present, value))
             : !value.is_container());
    const Path& where = inside ? work.scalar_path() : work.path;
    note_rules(work, value);
    return work.put(where, std::move(value), creates);
}

bool run_merge(Work& work) {
    Value value = sanitized(work, *work.instruction.value);
    const Value* present = work.target();
    if (present != nullptr && !fit_types(work, work.path, *present, value)) {
        return false;
    }
    if (present == nullptr) {
        if (work.has_flag("allowMissing") && work.has_flag("ifExists")) {
            return true;
        }
        return work.put(work.path, value, true);
    }
    switch (work.instruction.merge) {
        case MergeKind::kByOptions:
            if (!value.is_container() && !work.policy.strict_set) {
                return work.put(work.scalar_path(), value, true);
            }
            return work.put(
                work.path,
                value::merge(*present, value, strategy_of(work).value_or(Merge::kShallow)), true);
        case MergeKind::kShallow:
            if (work.instruction.described == Described::kModules && present->is_object() &&
                value.is_object()) {
                Path missing;
                return work.put(work.path,
                                *with_members(present->as_object(), value.as_object(), false,
                                              work.path, nullptr, missing),
                                true);
            }
            return work.put(work.path, value::merge(*present, value, Merge::kShallow), true);
        case MergeKind::kDeep:
            if (!present->is_object()) {
                return work.fail_type(*present, "object");
            }
            return work.put(work.path, value::merge(*present, value, Merge::kDeep), true);
    }
    return false;
}

bool run_ensure(Work& work) {
    if (work.target() != nullptr) {
        return work.fail(Code::kGuardNotMet, {"ensure", detail_of(work.path)});
    }
    return work.put(work.path, sanitized(work, *work.instruction.value), true);
}

bool run_add(Work& work) {
    const Value value = sanitized(work, *work.instruction.value);
    const Value* target = work.target();
    const Path& where = work.scalar_path();
    const Value* present = work.scalar();
    work.verdict.op = Op::kIncrement;
    if (present == nullptr) {
        if (value.is_object()) {
            return add_to_map(work, Object(), value);
        }
        if (!operand_of(value)) {
            return work.fail_type(value, "number / object");
        }
        return change_number(work, work.path, 0, Arithmetic::kAdd);
    }
    if (present->is_number()) {
        return change_number(work, where, *present, Arithmetic::kAdd);
    }
    if (target->is_object() && value.is_object()) {
        return add_to_map(work, target->as_object(), value);
    }
    if (target->is_array()) {
        return add_to_list(work, target->as_array(), value);
    }
    return work.fail_type(*target, "number / object / array");
}

bool run_increment(Work& work) {
    const Path& where = work.scalar_path();
    const Value* present = work.scalar();
    if (present == nullptr) {
        if (!work.instruction.creates) {
            return work.fail(Code::kNotFound, {detail_of(work.path)});
        }
        return change_number(work, where, 0, work.instruction.arithmetic);
    }
    const bool mvu = work.instruction.described == Described::kMvu;
    const Value& change = *work.instruction.value;
    const bool is_number =
        change.is_number() || (change.is_string() && proposal::as_fraction(change.as_string()));
    if (present->is_number() && (!mvu || is_number)) {
        return change_number(work, where, *present, work.instruction.arithmetic);
    }
    if (mvu && present->is_string()) {
        return change_date(work, where, *present);
    }
    return present->is_number() ? fail_text(work, work.path, *present, change)
                                : work.fail_type(*present, "number");
}

bool run_get(Work& work) {
    const Value* present = work.target();
    if (present == nullptr) {
        return work.fail(Code::kNotFound, {detail_of(work.path)});
    }
    work.verdict.value = *present;
    return true;
}

bool run_test(Work& work) {
    const Value* present = work.target();
    if (present != nullptr && equal_content(*present, *work.instruction.value)) {
        return true;
    }
    return work.fail(Code::kTestFailed, {detail_of(work.path), detail_of(*work.instruction.value),
                                         present_detail(work, present)});
}

bool run_callback(Work& work) {
    const Value& value = *work.instruction.value;
    work.events.push_back({std::string(work.instruction.path[0].key()),
                           value.is_array() ? value.as_array() : Array{value}, 0});
    return true;
}

}  // namespace arbiter::engine::internal
