#include "engine/internal/structure.h"

#include <algorithm>

#include "engine/initvar.h"
#include "value/merge.h"

namespace arbiter::engine {

using value::Array;
using value::Object;
using value::Path;
using value::Value;

namespace {

constexpr std::string_view kStructure = "structure";
constexpr std::string_view kMeta = "$meta";
constexpr std::string_view kMarker = "$__META_EXTENSIBLE__$";

bool is_true(const Value* object, std::string_view key) {
    const Value* found =
        object != nullptr && object->is_object() ? object->as_object().find(key) : nullptr;
    return found != nullptr && found->is_bool() && found->as_bool();
}
const Value* member(const Value* object, std::string_view key) {
    return object != nullptr && object->is_object() ? object->as_object().find(key) : nullptr;
}

bool is_array_meta(const Value& element) {
    return is_true(&element, "$arrayMeta") && member(&element, kMeta) != nullptr;
}

// What rules are made from: data, the rules so far, and the data that those were made from. Where
// the data is still that, the rules are.
struct Ground {
    const Value* old = nullptr;
    const Value* data_before = nullptr;
    bool recursive_parent = false;
};

// A node of rules: {"list"?: true, "extensible", "recursive", "template"?, "element"?,
// "members"?: {key: node}, "required"?: {key: bool}}.
Value rules_for(const Value& data, const Ground& ground);

const Value* first_of(const Array& list) {
    for (const Value& element : list) {
        if (!(element.is_string() && element.as_string() == kMarker) && !is_array_meta(element)) {
            return &element;
        }
    }
    return nullptr;
}

Value list_rules(const Array& list, const Ground& ground) {
    const Value* old = ground.old;
    bool extensible = is_true(old, "extensible");
    const Value* pattern = member(old, "template");
    for (const Value& element : list) {
        if (element.is_string() && element.as_string() == kMarker) {
            extensible = true;
        } else if (is_array_meta(element)) {
            const Value* meta = member(&element, kMeta);
            if (const Value* flag = member(meta, "extensible")) {
                extensible = flag->is_bool() && flag->as_bool();
            }
            pattern = member(meta, "template") != nullptr ? member(meta, "template") : pattern;
        }
    }
    const bool recursive = is_true(old, "recursive") || ground.recursive_parent;
    Object rules = {{"list", true},
                    {"extensible", extensible || ground.recursive_parent},
                    {"recursive", recursive}};
    if (pattern != nullptr) {
        rules = std::move(rules).set("template", *pattern);
    }
    const Value* first = first_of(list);
    if (first != nullptr && first->is_container()) {
        const Value* before = ground.data_before != nullptr && ground.data_before->is_array()
                                  ? first_of(ground.data_before->as_array())
                                  : nullptr;
        rules = std::move(rules).set(
            "element", rules_for(*first, {member(old, "element"), before, recursive}));
    }
    return rules;
}

Value object_rules(const Object& object, const Ground& ground) {
    const Value* old = ground.old;
    const Value* meta = object.find(kMeta);
    const bool recursive = is_true(old, "recursive") || ground.recursive_parent ||
                           is_true(meta, "recursiveExtensible");
    const bool extensible = is_true(old, "extensible") || is_true(meta, "extensible") || recursive;
    const Value* pattern = member(meta, "template");
    pattern = pattern != nullptr ? pattern : member(old, "template");
    const Value* named = member(meta, "required");
    Object members;
    Object required;
    for (const auto& [key, value] : object) {
        if (key == kMeta) {
            continue;
        }
        if (value.is_container()) {
            members = std::move(members).set(
                key, rules_for(value, {member(member(old, "members"), key),
                                       member(ground.data_before, key), recursive}));
        }
        bool needed = !extensible;
        if (named != nullptr && named->is_array()) {
            needed = needed || std::ranges::any_of(named->as_array(), [&](const Value& each) {
                         return each.is_string() && each.as_string() == key.view();
                     });
        }
        if (const Value* sticky = member(member(old, "required"), key)) {
            needed = sticky->is_bool() && sticky->as_bool();
        }
        required = std::move(required).set(key, needed);
    }
    Object rules = {{"extensible", extensible},
                    {"recursive", recursive},
                    {"members", std::move(members)},
                    {"required", std::move(required)}};
    if (pattern != nullptr) {
        rules = std::move(rules).set("template", *pattern);
    }
    if (is_true(meta, "strictTemplate") || is_true(old, "strictTemplate")) {
        rules = std::move(rules).set("strictTemplate", true);
    }
    const Value* concat = member(meta, "concatTemplateArray");
    if ((concat != nullptr && concat->is_bool() && !concat->as_bool()) ||
        is_true(old, "mergeTemplateArray")) {
        rules = std::move(rules).set("mergeTemplateArray", true);
    }
    if (is_true(meta, "strictSet") || is_true(old, "strictSet")) {
        rules = std::move(rules).set("strictSet", true);
    }
    return rules;
}

Value rules_for(const Value& data, const Ground& ground) {
    if (ground.old != nullptr && ground.data_before != nullptr && *ground.data_before == data) {
        return *ground.old;
    }
    const bool old_list = is_true(ground.old, "list");
    Ground own = ground;
    if (data.is_array()) {
        own.old = old_list ? own.old : nullptr;
        return list_rules(data.as_array(), own);
    }
    if (data.is_object()) {
        own.old = old_list ? nullptr : own.old;
        return object_rules(data.as_object(), own);
    }
    return {};
}

Value strip(const Value& data) {
    if (data.is_array()) {
        std::vector<Value> kept;
        for (const Value& element : data.as_array()) {
            const bool marker = element.is_string() && element.as_string() == kMarker;
            if (!marker && !is_array_meta(element)) {
                kept.push_back(strip(element));
            }
        }
        return Array(std::span<const Value>(kept));
    }
    if (data.is_object()) {
        Object kept;
        for (const auto& [key, value] : data.as_object()) {
            if (key != kMeta) {
                kept = std::move(kept).set(key, strip(value));
            }
        }
        return kept;
    }
    return data;
}

Path root_of(const Value& document) {
    return document.is_object() && document.as_object().contains("stat_data") ? Path{"stat_data"}
                                                                              : Path{};
}

// The rules for what stands at a path; nullptr where there are none.
const Value* rules_at(const Object& meta, const Value& document, const Path& path) {
    const Value* rules = meta.find(kStructure);
    const std::size_t begin = root_of(document).size();
    const Value* data = value::find(
        document, Path(path.begin(),
                       path.begin() + static_cast<std::ptrdiff_t>(std::min(begin, path.size()))));
    for (std::size_t i = begin; i < path.size() && rules != nullptr; ++i) {
        rules = data != nullptr && data->is_array()
                    ? member(rules, "element")
                    : member(member(rules, "members"), path[i].as_key());
        const auto step = data != nullptr ? value::step_into(*data, path[i]) : std::nullopt;
        data = step ? step->value : nullptr;
    }
    return rules != nullptr && rules->is_object() ? rules : nullptr;
}

// A template gives what the value does not have; the value wins.
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

State take_structure(Value document) {
    State state;
    const Path root = root_of(document);
    const Value* data = value::find(document, root);
    state.meta = Object{{kStructure, rules_for(*data, {})}};
    auto cleaned = value::set(document, root, strip(*data));
    state.document = cleaned ? std::move(*cleaned) : std::move(document);
    return state;
}

namespace internal {

bool may_insert(Work& work, const Value& container, Value& value) {
    // What a model writes never changes the rules.
    value = strip(value);
    if (work.policy.locks_top && work.instruction.described == proposal::Described::kMvu &&
        work.path.size() == root_of(work.document()).size() + 1) {
        return work.fail(Code::kSchemaLocked, {shown(work.path)});
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
            return work.fail(Code::kSchemaLocked, {shown(work.path)});
        }
    }
    const bool merges = container.is_object() && !work.instruction.key;
    if (const Value* pattern = member(rules, "template"); pattern != nullptr && !merges) {
        value = strip(with_template(value, *pattern, work.meta.find(kStructure)));
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
                            : is_true(member(rules, "required"), where.back().as_key());
    return !locked || work.fail(Code::kSchemaLocked, {shown(where)});
}

namespace {

// A place where the structure is not as its rules want it, or nothing.
class Inspection {
  public:
    // Whether elements come and go one by one: then a list must be open. One that is set as a whole
    // is a value.
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
    Path where;

  private:
    bool list_holds(const Value& rules, const Array& before, const Array& after) {
        if (before.size() != after.size()) {
            return !by_element_ || is_true(&rules, "extensible");
        }
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (!step(static_cast<std::int64_t>(i), member(&rules, "element"), before[i],
                      after[i])) {
                return false;
            }
        }
        return true;
    }
    bool object_holds(const Value& rules, const Object& before, const Value& after) {
        for (const auto& [key, value] : before) {
            const Value* now = member(&after, key);
            if (now == nullptr) {
                if (is_true(member(&rules, "required"), key)) {
                    where.emplace_back(key);
                    return false;
                }
            } else if (!step(key, member(member(&rules, "members"), key), value, *now)) {
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
    const Value* rules = work.policy.locks_structure ? work.meta.find(kStructure) : nullptr;
    const Path root = root_of(before);
    const Value* was = value::find(before, root);
    const Value* now = work.at(root);
    // Who replaces everything begins anew.
    if (rules == nullptr || was == nullptr ||
        (work.instruction.op == Op::kSet && work.path == root)) {
        return true;
    }
    const Op op = work.instruction.op;
    Inspection inspection(op != Op::kSet && op != Op::kMerge && op != Op::kEnsure);
    inspection.where = root;
    return (now != nullptr && inspection.holds(rules, *was, *now)) ||
           work.fail(Code::kSchemaLocked, {shown(inspection.where)});
}

void follow_structure(Object& meta, const Value& before, const Value& after) {
    const Value* old = meta.find(kStructure);
    const Value* data = value::find(after, root_of(after));
    if (old != nullptr && data != nullptr && data->is_object()) {
        Value rules = rules_for(*data, {old, value::find(before, root_of(before)), false});
        meta = std::move(meta).set(kStructure, std::move(rules));
    }
}

Value without_rules(const Value& value) {
    return strip(value);
}

bool is_strict_set(const Object& meta) {
    return is_true(meta.find(kStructure), "strictSet");
}

}  // namespace internal
}  // namespace arbiter::engine
