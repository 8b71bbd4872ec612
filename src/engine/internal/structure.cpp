#include "engine/internal/structure.h"

#include <algorithm>

#include "engine/internal/structure_rules.h"
#include "value/merge.h"

namespace arbiter::engine::internal {

using value::Array;
using value::find_member;
using value::Object;
using value::Path;
using value::Value;

namespace {

// Adds what the template has and the value lacks.
Value with_template(const Value& value, const Value& pattern, const Value* root) {
    if (value.is_object() && pattern.is_object()) {
        return value::merge(pattern, value, value::Merge::kDeep);
    }
    if (pattern.is_array()) {
        const bool scalar = !value.is_container();
        if (scalar && is_true(root, "strictTemplate")) {
            return value;
        }
        if (!scalar && !value.is_array()) {
            return value;
        }
        Array list = scalar ? Array{value} : value.as_array();
        const Array& rest = pattern.as_array();
        const bool by_index = is_true(root, "mergeTemplateArray");
        for (std::size_t i = by_index ? list.size() : 0; i < rest.size(); ++i) {
            list = std::move(list).push_back(rest[i]);
        }
        return list;
    }
    return value;
}

}  // namespace

bool may_insert(Work& work, const Value& container, Value& value) {
    // Rules in a written value are ignored: the model must not change them.
    value = without_rules(value);
    if (work.policy.locks_top && work.instruction.described == proposal::Described::kMvu &&
        work.path.size() == structure_root(work.document()).size() + 1) {
        return work.fail(Code::kSchemaLocked, {detail_of(work.path)});
    }
    if (!work.policy.locks_structure) {
        return true;
    }
    const Value* rules = rules_at(work.meta, work.document(), work.path);
    if (rules == nullptr) {
        return true;
    }
    const bool extensible = is_true(rules, "extensible");
    if (!extensible) {
        const std::optional<Value>& key = work.instruction.key;
        const bool known = container.is_object() && key && key->is_string() &&
                           container.as_object().contains(key->as_string());
        if (!known) {
            return work.fail(Code::kSchemaLocked, {detail_of(work.path)});
        }
    }
    const bool merges = container.is_object() && !work.instruction.key;
    if (const Value* pattern = find_member(rules, "template"); pattern != nullptr && !merges) {
        value = without_rules(with_template(value, *pattern, structure_rules(work.meta)));
    }
    return true;
}

bool may_delete(Work& work, const Path& where) {
    if (!work.policy.locks_structure || where.empty()) {
        return true;
    }
    const Path parent(where.begin(), where.end() - 1);
    const Value* rules = rules_at(work.meta, work.document(), parent);
    if (rules == nullptr) {
        return true;
    }
    const Value* container = work.at(parent);
    const bool locked = container != nullptr && container->is_array()
                            ? !is_true(rules, "extensible")
                            : is_true(find_member(rules, "required"), where.back().as_key());
    return !locked || work.fail(Code::kSchemaLocked, {detail_of(where)});
}

namespace {

// Compares two versions of the data and finds the first place that breaks the rules.
class Inspection {
  public:
    // With `by_element`, only an extensible list may change its length. A list that is set as a
    // whole counts as a value and may have any length.
    explicit Inspection(bool by_element) : by_element_(by_element) {}

    bool holds(const Value* rules, const Value& before, const Value& after) {
        if (rules == nullptr || !rules->is_object() || before == after) {
            return true;
        }
        if (is_true(rules, "list")) {
            return !before.is_array() || !after.is_array() ||
                   list_holds(*rules, before.as_array(), after.as_array());
        }
        return !before.is_object() || object_holds(*rules, before.as_object(), after);
    }
    Path where;  // of the broken rule, if holds() was false

  private:
    bool list_holds(const Value& rules, const Array& before, const Array& after) {
        if (before.size() != after.size()) {
            return !by_element_ || is_true(&rules, "extensible");
        }
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (!step(static_cast<std::int64_t>(i), find_member(&rules, "element"), before[i],
                      after[i])) {
                return false;
            }
        }
        return true;
    }
    bool object_holds(const Value& rules, const Object& before, const Value& after) {
        for (const auto& [key, value] : before) {
            const Value* now = find_member(&after, key);
            if (now == nullptr) {
                if (is_true(find_member(&rules, "required"), key)) {
                    where.emplace_back(key);
                    return false;
                }
            } else if (!step(key, find_member(find_member(&rules, "members"), key), value, *now)) {
                return false;
            }
        }
        if (!after.is_object() || is_true(&rules, "extensible")) {
            return true;
        }
        const auto fresh = std::ranges::find_if(after.as_object(), [&](const value::Member& each) {
            return !before.contains(each.key) && each.key != "__version";
        });
        if (fresh == after.as_object().end()) {
            return true;
        }
        where.emplace_back((*fresh).key);
        return false;
    }
    bool step(value::Segment segment, const Value* rules, const Value& before, const Value& after) {
        where.push_back(std::move(segment));
        if (!holds(rules, before, after)) {
            return false;
        }
        where.pop_back();
        return true;
    }
    bool by_element_;
};

}  // namespace

bool keeps_structure(Work& work, const Value& before) {
    const Value* rules = work.policy.locks_structure ? structure_rules(work.meta) : nullptr;
    const Path root = structure_root(before);
    const Value* was = value::find(before, root);
    const Value* now = work.at(root);
    // Replacing the whole root starts a new structure.
    if (rules == nullptr || was == nullptr ||
        (work.instruction.op == Op::kSet && work.path == root)) {
        return true;
    }
    const Op op = work.instruction.op;
    Inspection inspection(op != Op::kSet && op != Op::kMerge && op != Op::kEnsure);
    inspection.where = root;
    return (now != nullptr && inspection.holds(rules, *was, *now)) ||
           work.fail(Code::kSchemaLocked, {detail_of(inspection.where)});
}

}  // namespace arbiter::engine::internal
