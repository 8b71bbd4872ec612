#include "engine/internal/node_ops.h"

#include "base/limits.h"
#include "engine/internal/guards.h"
#include "engine/internal/ops.h"
#include "engine/internal/soft_delete.h"
#include "engine/internal/structure.h"
#include "engine/marks.h"
#include "value/json.h"
#include "value/merge.h"

namespace arbiter::engine::internal {

using value::Array;
using value::Merge;
using value::Object;
using value::Path;
using value::Segment;
using value::Value;

namespace {

// Resolves a negative last index.
void resolve_negative_index(Work& work) {
    if (work.path.empty() || !work.path.back().is_index() || work.path.back().index() >= 0) {
        return;
    }
    const Path parent(work.path.begin(), work.path.end() - 1);
    const Value* list = work.at(parent);
    if (list != nullptr && list->is_array()) {
        const auto size = static_cast<std::int64_t>(list->as_array().size());
        if (const std::int64_t index = size + work.path.back().index(); index >= 0) {
            work.retarget(with_last(work.path, index));
        }
    }
}

// The member that a second argument names: by index, by key or, in an array, by equal value.
std::optional<Segment> named_member(const Value& container, const Value& key) {
    if (container.is_array()) {
        const Array& list = container.as_array();
        if (key.is_number()) {
            const auto index = whole_index(key, false);
            return index && *index < list.size()
                       ? std::optional<Segment>(static_cast<std::int64_t>(*index))
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

// Names the protected nodes that a deletion leaves.
void warn_of_protected(Work& work, const Value& value, const Path& where) {
    for (const Path& path : protected_paths(value, where, base::kRemarksMax)) {
        work.warn({Warning::kProtected, {detail_of(path)}});
    }
}

// Puts what is left of a list that was deleted or emptied.
bool keep_elements(Work& work, const Path& where, const Array& list) {
    Array kept;
    for (const Value& element : list) {
        if (has_protected(element)) {
            kept = std::move(kept).push_back(element);
        } else {
            work.shift(where, kept.size(), 1, 0);
        }
    }
    return work.put(where, std::move(kept), false);
}

bool delete_all(Work& work, const Value& container) {
    warn_of_protected(work, container, work.path);
    if (container.is_array()) {
        return keep_elements(work, work.path, container.as_array());
    }
    if (!container.is_object()) {
        return work.fail_type(container, "object / array");
    }
    return work.put(work.path, protected_part(container).value_or(Object()), false);
}

// Replaces RFC 6902's "-" at the end of the path by the array's length.
void resolve_end(Work& work) {
    if (work.path.empty() || work.path.back().is_index() || work.path.back().key() != "-") {
        return;
    }
    const Value* list = work.at(Path(work.path.begin(), work.path.end() - 1));
    if (list != nullptr && list->is_array()) {
        work.retarget(
            with_last(work.path, Segment(static_cast<std::int64_t>(list->as_array().size()))));
    }
}

// A protected node must not be replaced.
bool may_replace(Work& work) {
    const Path parent(work.path.begin(), work.path.empty() ? work.path.end() : work.path.end() - 1);
    const Value* around = work.at(parent);
    const Value* target = work.target();
    const bool inserts = !work.path.empty() && around != nullptr && around->is_array();
    return inserts || target == nullptr || !has_protected(*target) ||
           work.fail(Code::kProtected, {detail_of(work.path)});
}

// Moves without overwriting: an object is merged into an object, any other target is an error.
bool move_into(Work& work, const Path& from, Value moved) {
    if (const Value* target = work.target()) {
        if (!target->is_object() || !moved.is_object()) {
            return work.fail(Code::kTargetExists, {detail_of(work.path)});
        }
        for (const auto& [key, member] : target->as_object()) {
            const Value* fresh = moved.as_object().find(key);
            if (fresh != nullptr && *fresh != member) {
                work.warn({Warning::kOverwritten,
                           {detail_of(child_of(work.path, key)), detail_of(member)}});
            }
        }
        moved = value::merge(*target, moved, Merge::kShallow);
    }
    // Put first: erasing an array element first would shift the target.
    if (!work.put(work.path, std::move(moved), true) || !work.erase(from)) {
        return false;
    }
    Path path = canonical(work.path, work.document());
    if (!work.shifts.empty()) {
        follow(path, work.shifts.back());
    }
    work.retarget(std::move(path));
    return true;
}

}  // namespace

bool run_delete(Work& work) {
    resolve_negative_index(work);
    work.written.emplace();
    const Value* target = work.target();
    const bool forgiving =
        work.instruction.forgiving || work.has_flag("allowMissing") || work.instruction.all;
    if (target == nullptr) {
        return forgiving || work.fail(Code::kNotFound, {detail_of(work.path)});
    }
    // MVU's remove does not accept its root.
    if (work.instruction.mount == proposal::Mount::kMvu && work.instruction.path.empty()) {
        return work.fail(Code::kNotFound, {detail_of(work.path)});
    }
    if (work.instruction.all) {
        if (is_protected(*target)) {
            return work.fail(Code::kProtected, {detail_of(work.path)});
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
                             {detail_of(work.path) + " ← " + detail_of(*work.instruction.key)});
        }
        where.push_back(*member);
        target = work.at(where);
    }
    if (!may_delete(work, where)) {
        return false;
    }
    if (is_protected(*target)) {
        return work.fail(Code::kProtected, {detail_of(where)});
    }
    const Value* cascade = work.option("cascade");
    const bool is_full = (target->is_object() && !target->as_object().empty()) ||
                         (target->is_array() && !target->as_array().empty());
    if (cascade != nullptr && !cascade->as_bool() && is_full) {
        return work.fail(Code::kNotEmpty, {detail_of(where)});
    }
    if (where.empty()) {
        return work.fail(Code::kNotFound, {"$"});
    }
    if (auto kept = protected_part(*target)) {
        warn_of_protected(work, *target, where);
        return target->is_array() ? keep_elements(work, where, Array(target->as_array()))
                                  : work.put(where, std::move(*kept), false);
    }
    if (work.policy.delete_as_null && work.instruction.nulls) {
        work.written = {where};
        return work.put(where, nullptr, false);
    }
    if (work.has_flag("softDelete")) {
        return soft_delete(work, where, Value(*target));
    }
    return work.erase(where);
}

bool run_move(Work& work) {
    const Path from = canonical(work.from, work.document());
    const Value* source = work.at(from);
    if (source == nullptr || from.empty()) {
        return work.fail(Code::kNotFound, {detail_of(from)});
    }
    if (!may_take_out(work)) {
        return false;
    }
    if (has_protected(*source)) {
        return work.fail(Code::kProtected, {detail_of(from)});
    }
    const Path to = canonical(work.path, work.document());
    if (from == to) {
        work.written.emplace();
        return true;
    }
    if (begins_with(to, from)) {
        return work.fail(Code::kTargetExists, {detail_of(from), detail_of(work.path)});
    }
    if (!may_delete(work, from)) {
        return false;
    }
    Value moved = *source;
    if (!work.instruction.overwrites) {
        return move_into(work, from, std::move(moved));
    }
    // RFC 6902: remove first; the target path applies to the document without the node.
    if (!work.erase(from)) {
        return false;
    }
    // MVU's move does not know "-"; its cards must play as before.
    if (work.instruction.mount != proposal::Mount::kMvu) {
        resolve_end(work);
    } else if (!work.path.empty() && work.path.back() == Segment("-")) {
        return work.fail(Code::kBadIndex, {detail_of(work.path), "-"});
    }
    return may_replace(work) && work.add(work.path, std::move(moved), work.instruction.creates);
}

bool run_copy(Work& work) {
    const Value* source = work.at(work.from);
    if (source == nullptr) {
        return work.fail(Code::kNotFound, {detail_of(work.from)});
    }
    if (!may_take_out(work)) {
        return false;
    }
    Value copied = *source;
    if (!work.instruction.overwrites) {
        return work.put(work.path, std::move(copied), true);
    }
    resolve_end(work);
    return may_replace(work) && work.add(work.path, std::move(copied), work.instruction.creates);
}

}  // namespace arbiter::engine::internal
