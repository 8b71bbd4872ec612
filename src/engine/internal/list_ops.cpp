// Operations on members: push, pull, pop, splice, insert, delete, move, copy.
#include <algorithm>
#include <limits>

#include "engine/internal/structure.h"
#include "engine/internal/work.h"
#include "engine/internal/world.h"
#include "proposal/shape.h"
#include "value/json.h"
#include "value/merge.h"

namespace arbiter::engine::internal {

using proposal::Described;
using value::Array;
using value::Merge;
using value::Object;
using value::Path;
using value::Segment;
using value::Value;

bool is_same_element(const Work& work, const Value& a, const Value& b) {
    const Value* unique = work.option("uniqueBy");
    if (unique == nullptr || !a.is_object() || !b.is_object()) {
        return equal_content(a, b);
    }
    const auto same_field = [&](std::string_view field) {
        const Value* left = a.as_object().find(field);
        const Value* right = b.as_object().find(field);
        return left != nullptr && right != nullptr && *left == *right;
    };
    if (unique->is_string()) {
        return same_field(unique->as_string());
    }
    return std::ranges::all_of(unique->as_array(),
                               [&](const Value& field) { return same_field(field.as_string()); });
}

namespace {

bool is_head(const Work& work) {
    return work.text_option("position", "tail") == "head";
}

// The list that an operation takes from; nullptr, with the problem set, where there is none.
const Array* list_at(Work& work) {
    const Value* target = work.target();
    if (target == nullptr) {
        work.fail(Code::kNotFound, {shown(work.path)});
        return nullptr;
    }
    if (!target->is_array()) {
        work.fail_type(*target, "array");
        return nullptr;
    }
    return &target->as_array();
}

bool names(const Object& element, std::string_view text) {
    for (const std::string_view field : {"物品ID", "名称", "状态名称", "id", "name"}) {
        const Value* name = element.find(field);
        if (name != nullptr && name->is_string() && name->as_string() == text) {
            return true;
        }
    }
    return false;
}

// 1.0: the element itself, or an object that goes by this name.
bool is_meant(const Value& element, const Value& value) {
    return equal_content(element, value) || (element.is_object() && value.is_string() &&
                                             names(element.as_object(), value.as_string()));
}

std::size_t limit_of(const Work& work, std::string_view option) {
    const Value* value = work.option(option);
    return value == nullptr ? std::numeric_limits<std::size_t>::max()
                            : static_cast<std::size_t>(value->as_int());
}

// Which elements go: as many as allowed, from the end that is asked for.
std::vector<bool> chosen(const Work& work, const Array& list) {
    const Value* where = work.option("where");
    const bool from_tail = work.text_option("position", "head") == "tail";
    const bool first_only =
        where == nullptr && work.instruction.value && work.option("count") == nullptr;
    std::size_t left = first_only ? 1 : limit_of(work, "count");
    std::vector<bool> going(list.size(), false);
    for (std::size_t n = 0; n < list.size() && left > 0; ++n) {
        const std::size_t i = from_tail ? list.size() - 1 - n : n;
        const bool hit = where != nullptr         ? matches(list[i], where->as_object())
                         : work.instruction.value ? is_meant(list[i], *work.instruction.value)
                                                  : true;
        if (hit) {
            going[i] = true;
            --left;
        }
    }
    return going;
}

// A negative index counts from the end.
void from_the_end(Work& work) {
    if (work.path.empty() || !work.path.back().is_index() || work.path.back().index() >= 0) {
        return;
    }
    const Path parent(work.path.begin(), work.path.end() - 1);
    const Value* list = work.at(parent);
    if (list != nullptr && list->is_array()) {
        const auto size = static_cast<std::int64_t>(list->as_array().size());
        if (const std::int64_t index = size + work.path.back().index(); index >= 0) {
            work.path.back() = Segment(index);
        }
    }
}

std::optional<std::size_t> whole_index(const Value& key, bool digits_too) {
    if (key.is_number() && key.as_double() >= 0) {
        return static_cast<std::size_t>(std::min(key.as_double(), 1e9));
    }
    if (digits_too && key.is_string()) {
        return Segment(key.as_str()).as_position();
    }
    return std::nullopt;
}

// The member of a container that a second argument names: by index, key, or equal value.
std::optional<Segment> named_member(const Value& container, const Value& key) {
    if (container.is_array()) {
        const Array& list = container.as_array();
        if (const auto index = whole_index(key, false)) {
            return *index < list.size() ? std::optional<Segment>(static_cast<std::int64_t>(*index))
                                        : std::nullopt;
        }
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (list[i] == key) {
                return Segment(static_cast<std::int64_t>(i));
            }
        }
        return std::nullopt;
    }
    const Object& object = container.as_object();
    if (key.is_number()) {
        const auto index = whole_index(key, false);
        return index && *index < object.size() ? std::optional<Segment>(object.at(*index).key)
                                               : std::nullopt;
    }
    const value::Str name = key.is_string() ? key.as_str() : value::Str(value::print_json(key));
    return object.contains(name) ? std::optional<Segment>(name) : std::nullopt;
}

// What stays of a value when it is deleted: the protected nodes in it, and the way to them.
std::optional<Value> remains(const Value& value) {
    if (is_protected(value)) {
        return value;
    }
    if (!value.is_object() || !has_protected(value)) {
        return std::nullopt;
    }
    Object kept;
    for (const auto& [key, member] : value.as_object()) {
        if (auto part = remains(member)) {
            kept = std::move(kept).set(key, std::move(*part));
        }
    }
    return kept;
}

bool delete_all(Work& work, const Value& container) {
    if (container.is_array()) {
        return work.put(work.path, Array(), false);
    }
    if (!container.is_object()) {
        return work.fail_type(container, "object / array");
    }
    Object kept;
    for (const auto& [key, member] : container.as_object()) {
        if (auto part = remains(member)) {
            kept = std::move(kept).set(key, std::move(*part));
            work.warn(Warning::kProtected);
        }
    }
    return work.put(work.path, std::move(kept), false);
}

bool is_inside(const Path& path, const Path& outer) {
    return path.size() >= outer.size() && std::equal(outer.begin(), outer.end(), path.begin());
}

}  // namespace

bool run_push(Work& work) {
    const Value* target = work.target();
    bool stripped = false;
    const Value value = without_versions(*work.instruction.value, stripped);
    if (stripped) {
        work.warn(Warning::kVersionStripped);
    }
    if (target != nullptr && !target->is_array()) {
        return work.fail_type(*target, "array");
    }
    if (target == nullptr && !work.instruction.creates) {
        return work.fail(Code::kNotFound, {shown(work.path)});
    }
    Array list = target == nullptr ? Array() : target->as_array();
    if (work.is_on("dedupe") || work.option("uniqueBy") != nullptr) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (!is_same_element(work, list[i], value)) {
                continue;
            }
            work.warn(Warning::kDeduped);
            const std::string strategy = work.text_option("mergeStrategy", "");
            if (strategy.empty()) {
                work.deduped = true;
                return true;
            }
            Path element = work.path;
            element.emplace_back(static_cast<std::int64_t>(i));
            work.brought = {element};
            return work.put(element,
                            value::merge(list[i], value,
                                         strategy == "deep"      ? Merge::kDeep
                                         : strategy == "shallow" ? Merge::kShallow
                                                                 : Merge::kReplace),
                            false);
        }
    }
    const std::size_t limit = limit_of(work, "limit");
    if (is_head(work)) {
        list = std::move(list).insert(0, value);
        while (list.size() > limit) {
            list = std::move(list).erase(list.size() - 1);
        }
    } else {
        list = std::move(list).push_back(value);
        while (list.size() > limit) {
            list = std::move(list).erase(0);
        }
    }
    work.brought = {work.path};
    work.brought->front().emplace_back(
        is_head(work) || list.empty() ? 0 : static_cast<std::int64_t>(list.size()) - 1);
    return work.put(work.path, std::move(list), true);
}

bool run_pull(Work& work) {
    const Value* target = work.target();
    work.brought.emplace();
    if (target == nullptr) {
        work.verdict.value = Array();
        return true;
    }
    if (!target->is_array()) {
        return work.fail_type(*target, "array");
    }
    const Array& list = target->as_array();
    const std::vector<bool> going = chosen(work, list);
    std::vector<Value> kept;
    std::vector<Value> removed;
    for (std::size_t i = 0; i < list.size(); ++i) {
        (going[i] ? removed : kept).push_back(list[i]);
    }
    work.verdict.value = Array(std::span<const Value>(removed));
    return removed.empty() || work.put(work.path, Array(std::span<const Value>(kept)), false);
}

bool run_pop(Work& work) {
    const Array* found = list_at(work);
    work.brought.emplace();
    if (found == nullptr) {
        return false;
    }
    const Array& list = *found;
    if (list.empty()) {
        return true;
    }
    work.verdict.value = list[list.size() - 1];
    return work.put(work.path, list.erase(list.size() - 1), false);
}

bool run_splice(Work& work) {
    const Array* found = list_at(work);
    work.brought.emplace();
    if (found == nullptr) {
        return false;
    }
    const Array& list = *found;
    const Object& how = work.instruction.value->as_object();
    const auto size = static_cast<std::int64_t>(list.size());
    // JavaScript's rules for what lies outside.
    std::int64_t start = how.find("start")->as_int();
    start = start < 0 ? std::max<std::int64_t>(size + std::max(start, -size), 0)
                      : std::min(start, size);
    const Value* count = how.find("deleteCount");
    const std::int64_t gone = count == nullptr
                                  ? size - start
                                  : std::clamp<std::int64_t>(count->as_int(), 0, size - start);
    std::vector<Value> kept;
    std::vector<Value> removed;
    for (std::int64_t i = 0; i < size; ++i) {
        const Value& element = list[static_cast<std::size_t>(i)];
        if (i == start) {
            if (const Value* items = how.find("items")) {
                kept.insert(kept.end(), items->as_array().begin(), items->as_array().end());
            }
        }
        (i >= start && i < start + gone ? removed : kept).push_back(element);
    }
    if (start == size) {
        if (const Value* items = how.find("items")) {
            kept.insert(kept.end(), items->as_array().begin(), items->as_array().end());
        }
    }
    work.verdict.value = Array(std::span<const Value>(removed));
    return work.put(work.path, Array(std::span<const Value>(kept)), false);
}

bool run_insert(Work& work) {
    const Value* target = work.target();
    const Instruction& instruction = work.instruction;
    bool stripped = false;
    Value value = without_versions(*instruction.value, stripped);
    if (stripped) {
        work.warn(Warning::kVersionStripped);
    }
    if (target == nullptr && !instruction.creates) {
        return work.fail(Code::kNotFound, {shown(work.path)});
    }
    Value container = target == nullptr ? Value(nullptr) : *target;
    if (!container.is_null() && !container.is_container()) {
        return work.fail_type(container, "object / array");
    }
    if (!may_insert(work, container, value)) {
        return false;
    }
    if (container.is_null()) {
        const bool list = !instruction.key && value.is_array();
        container = list ? Value(Array()) : Value(Object());
    }
    if (container.is_array()) {
        const Array& list = container.as_array();
        const auto index = instruction.key ? whole_index(*instruction.key, true) : std::nullopt;
        const bool append = !instruction.key ||
                            (instruction.key->is_string() && instruction.key->as_string() == "-");
        if (!append && !index) {
            return work.fail(Code::kBadIndex, {shown(work.path), std::to_string(list.size())});
        }
        // A key of digits names an element for MVU; a number is a place between two.
        if (index && instruction.key->is_string() && *index < list.size() &&
            work.proposal.dialect == proposal::Dialect::kMvu) {
            return work.put(work.path, list.set(*index, std::move(value)), true);
        }
        const std::size_t place = append ? list.size() : std::min(*index, list.size());
        return work.put(work.path, list.insert(place, std::move(value)), true);
    }
    const Object& object = container.as_object();
    if (!instruction.key) {
        if (!value.is_object()) {
            return work.fail_type(container, "array");
        }
        return work.put(work.path, value::merge(container, value, Merge::kDeep), true);
    }
    const value::Str key = instruction.key->is_string()
                               ? instruction.key->as_str()
                               : value::Str(value::print_json(*instruction.key));
    if (object.contains(key) && !instruction.overwrites) {
        return work.fail(Code::kUniqueViolation, {shown(work.path), std::string(key.view())});
    }
    return work.put(work.path, object.set(key, std::move(value)), true);
}

bool run_delete(Work& work) {
    from_the_end(work);
    const Value* target = work.target();
    const bool forgiving =
        work.instruction.forgiving || work.is_on("allowMissing") || work.instruction.all;
    if (target == nullptr) {
        return forgiving || work.fail(Code::kNotFound, {shown(work.path)});
    }
    // What MVU holds at its root is there, but never for its remove.
    if (work.instruction.mount == proposal::Mount::kMvu && work.instruction.path.empty()) {
        return work.fail(Code::kNotFound, {shown(work.path)});
    }
    if (work.instruction.all) {
        if (is_protected(*target)) {
            return work.fail(Code::kProtected, {shown(work.path)});
        }
        return delete_all(work, *target);
    }
    Path where = work.path;
    if (work.instruction.key) {
        if (!target->is_container()) {
            return work.fail_type(*target, "object / array");
        }
        const auto member = named_member(*target, *work.instruction.key);
        if (!member) {
            return work.fail(Code::kNotFound,
                             {shown(work.path) + " ← " + shown(*work.instruction.key)});
        }
        where.push_back(*member);
        target = work.at(where);
    }
    if (!may_delete(work, where)) {
        return false;
    }
    if (is_protected(*target)) {
        return work.fail(Code::kProtected, {shown(where)});
    }
    const Value* cascade = work.option("cascade");
    const bool is_full = (target->is_object() && !target->as_object().empty()) ||
                         (target->is_array() && !target->as_array().empty());
    if (cascade != nullptr && !cascade->as_bool() && is_full) {
        return work.fail(Code::kNotEmpty, {shown(where)});
    }
    if (where.empty()) {
        return work.fail(Code::kNotFound, {"$"});
    }
    if (auto kept = remains(*target)) {
        work.warn(Warning::kProtected);
        return work.put(where, std::move(*kept), false);
    }
    if (work.policy.delete_as_null && work.proposal.dialect == proposal::Dialect::kJson) {
        return work.put(where, nullptr, false);
    }
    if (work.is_on("softDelete")) {
        return soft_delete(work, where, Value(*target));
    }
    return work.erase(where);
}

bool run_move(Work& work) {
    const Path& from = work.from;
    const Value* source = work.at(from);
    if (source == nullptr || from.empty()) {
        return work.fail(Code::kNotFound, {shown(from)});
    }
    if (has_protected(*source)) {
        return work.fail(Code::kProtected, {shown(from)});
    }
    if (from == work.path) {
        return true;
    }
    if (is_inside(work.path, from)) {
        return work.fail(Code::kTargetExists, {shown(work.path)});
    }
    Value moved = *source;
    if (const Value* target = work.target()) {
        const bool both = target->is_object() && moved.is_object();
        if (!both) {
            return work.fail(Code::kTargetExists, {shown(work.path)});
        }
        moved = value::merge(*target, moved, Merge::kShallow);
    }
    if (!may_delete(work, from) || !may_take(work)) {
        return false;
    }
    // Taking out of a list first would shift the place it goes to.
    return work.put(work.path, std::move(moved), true) && work.erase(from);
}

bool run_copy(Work& work) {
    const Path& from = work.from;
    const Value* source = work.at(from);
    if (source == nullptr) {
        return work.fail(Code::kNotFound, {shown(from)});
    }
    return may_take(work) && work.put(work.path, Value(*source), true);
}

// The bin is a list of records, unless the save already keeps an object there.
bool soft_delete(Work& work, const Path& where, const Value& old) {
    Path bin = work.policy.recycle_bin;
    if (const Value* key = work.option("recycleBinKey")) {
        const auto parsed = value::parse_path(key->as_string(), value::PathSyntax::kDotted);
        const Path& root = work.policy.tavern_root;
        if (!parsed || parsed->size() <= root.size() || !is_inside(*parsed, root)) {
            return work.fail(Code::kBadPrefix, {std::string(key->as_string()), shown(root) + "."});
        }
        for (const Segment& segment : *parsed) {
            if (!segment.is_index() && proposal::is_dangerous(segment.key())) {
                return work.fail(Code::kSecurityRisk, {std::string(segment.key())});
            }
        }
        bin = *parsed;
    }
    if (!work.erase(where)) {
        return false;
    }
    if (is_inside(where, bin)) {
        work.warn(Warning::kHardDeleted);
        return true;
    }
    Object record = {{"key", std::string_view(shown(where))},
                     {"value", old},
                     {"deletedAt", std::string_view(print_instant(work.context.now))},
                     {"opId", std::string_view(work.verdict.id)}};
    if (!work.instruction.reason.empty()) {
        record = std::move(record).set("reason", work.instruction.reason);
    }
    const Value* present = work.at(bin);
    if (present == nullptr) {
        return work.put(bin, Array{record}, true);
    }
    Path slot = bin;
    if (present->is_array()) {
        slot.emplace_back(static_cast<std::int64_t>(present->as_array().size()));
    } else if (present->is_object()) {
        slot.emplace_back(std::string_view(work.verdict.id));
    } else {
        return work.fail(Code::kTypeMismatch,
                         {shown(bin), std::string(kind_text(*present)), "array / object"});
    }
    return work.put(slot, std::move(record), false);
}

}  // namespace arbiter::engine::internal
