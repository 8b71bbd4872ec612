#include "engine/internal/ops.h"

#include <algorithm>

#include "engine/internal/list_ops.h"
#include "engine/internal/node_ops.h"
#include "engine/internal/soft_delete.h"
#include "engine/internal/structure_rules.h"
#include "engine/internal/value_ops.h"
#include "engine/internal/versions.h"
#include "engine/internal/where.h"

namespace arbiter::engine::internal {

using value::Segment;
using value::Value;

bool run_operation(Work& work) {
    switch (work.instruction.op) {
        case Op::kSet:
            return run_set(work);
        case Op::kMerge:
            return run_merge(work);
        case Op::kEnsure:
            return run_ensure(work);
        case Op::kAdd:
            return run_add(work);
        case Op::kIncrement:
            return run_increment(work);
        case Op::kInsert:
            return run_insert(work);
        case Op::kPush:
            return run_push(work);
        case Op::kPull:
            return run_pull(work);
        case Op::kPop:
            return run_pop(work);
        case Op::kSplice:
            return run_splice(work);
        case Op::kDelete:
            return run_delete(work);
        case Op::kMove:
            return run_move(work);
        case Op::kCopy:
            return run_copy(work);
        case Op::kGet:
            return run_get(work);
        case Op::kCallback:
            return run_callback(work);
        case Op::kTest:
            return run_test(work);
        case Op::kRestore:
            return run_restore(work);
        case Op::kCount:
            break;
    }
    return false;
}

bool is_write(Op op) noexcept {
    return op != Op::kGet && op != Op::kCallback && op != Op::kTest;
}

Value sanitized(Work& work, const Value& value) {
    bool found = false;
    Value cleaned = without_versions(value, found);
    if (found) {
        work.warn(Warning::kVersionStripped);
    }
    // MVU reads the rules that a value brings: from an insert at once, from a set after the reply.
    const bool keeps_rules =
        !work.policy.locks_structure || work.instruction.described == proposal::Described::kMvu;
    return keeps_rules ? cleaned : without_rules(cleaned);
}

value::Merge merge_named(std::string_view strategy) noexcept {
    if (strategy == "deep") {
        return value::Merge::kDeep;
    }
    return strategy == "shallow" ? value::Merge::kShallow : value::Merge::kReplace;
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

bool is_same_element(const Work& work, const Value& a, const Value& b) {
    const Value* unique = work.option("uniqueBy");
    if (unique == nullptr || !a.is_object() || !b.is_object()) {
        return equal_content(a, b);
    }
    const value::Array fields = unique->is_string() ? value::Array{*unique} : unique->as_array();
    bool same = true;
    for (const Value& field : fields) {
        const Value* left = field_of(a.as_object(), field.as_string());
        const Value* right = field_of(b.as_object(), field.as_string());
        if (left == nullptr || right == nullptr) {
            return equal_content(a, b);  // nothing to distinguish them by
        }
        same = same && *left == *right;
    }
    return same;
}

}  // namespace arbiter::engine::internal
