#include "engine/internal/structure.h"

#include <algorithm>

#include "engine/internal/structure_rules.h"
#include "value/json.h"
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
        return value::merge(pattern, value, value::Merge::kIndexed);
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
        if (is_true(root, "mergeTemplateArray")) {
            return value::merge(pattern, list, value::Merge::kIndexed);
        }
        for (const Value& element : pattern.as_array()) {
            list = std::move(list).push_back(element);
        }
        return list;
    }
    return value;
}

// Whether the rules of an object name this key. Its data may not have the key any more.
bool is_known(const Value& rules, const std::optional<Value>& key) {
    if (!key || is_true(&rules, "list")) {
        return false;
    }
    const Value* names = find_member(&rules, "required");
    return find_member(names, key->is_string() ? std::string(key->as_string())
                                               : value::print_json(*key)) != nullptr;
}

}  // namespace

bool may_insert(Work& work, const Value& container, Value& value) {
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
    if (!is_true(rules, "extensible") && !is_known(*rules, work.instruction.key)) {
        return work.fail(Code::kSchemaLocked, {detail_of(work.path)});
    }
    // A template is for one new element or member, not for members that are merged in.
    const bool is_one = work.instruction.key || (container.is_array() && is_true(rules, "list"));
    if (const Value* pattern = find_member(rules, "template"); pattern != nullptr && is_one) {
        value = with_template(value, *pattern, structure_rules(work.meta));
    }
    return true;
}

Value take_rules(Work& work, const Value& value, Value container) {
    if (work.policy.locks_structure && structure_rules(work.meta) != nullptr) {
        extend_rules(work.meta, work.document(), work.path, container);
    }
    const bool mvu = work.instruction.described == proposal::Described::kMvu;
    return mvu && (has_rules(value) || has_written_rules(work.meta)) ? without_rules(container)
                                                                     : std::move(container);
}

void note_rules(Work& work, const Value& value) {
    if (work.instruction.described == proposal::Described::kMvu && has_rules(value)) {
        mark_written_rules(work.meta);
    }
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
    const bool locked = is_true(rules, "list")
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
    const Op op = work.instruction.op;
    // Inserts and deletions were checked before. Replacing the whole root starts a new structure;
    // MVU's set may replace any value by any other.
    const bool mvu = work.instruction.described == proposal::Described::kMvu;
    if (rules == nullptr || was == nullptr || op == Op::kInsert || op == Op::kDelete ||
        (op == Op::kSet && (mvu || work.path == root))) {
        return true;
    }
    Inspection inspection(op != Op::kSet && op != Op::kMerge && op != Op::kEnsure);
    inspection.where = root;
    return (now != nullptr && inspection.holds(rules, *was, *now)) ||
           work.fail(Code::kSchemaLocked, {detail_of(inspection.where)});
}

}  // namespace arbiter::engine::internal
