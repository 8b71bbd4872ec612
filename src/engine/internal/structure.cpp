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

// A node of rules: {"list"?: true, "extensible", "recursive", "template"?, "element"?,
// "members"?: {key: node}, "required"?: {key: bool}}.
Value rules_for(const Value& data, const Value* old, bool recursive_parent);

Value list_rules(const Array& list, const Value* old, bool recursive_parent) {
    bool extensible = is_true(old, "extensible");
    const Value* pattern = member(old, "template");
    const Value* first = nullptr;
    for (const Value& element : list) {
        if (element.is_string() && element.as_string() == kMarker) {
            extensible = true;
        } else if (is_array_meta(element)) {
            const Value* meta = member(&element, kMeta);
            if (const Value* flag = member(meta, "extensible")) {
                extensible = flag->is_bool() && flag->as_bool();
            }
            pattern = member(meta, "template") != nullptr ? member(meta, "template") : pattern;
        } else if (first == nullptr) {
            first = &element;
        }
    }
    const bool recursive = is_true(old, "recursive") || recursive_parent;
    Object rules = {
        {"list", true}, {"extensible", extensible || recursive_parent}, {"recursive", recursive}};
    if (pattern != nullptr) {
        rules = std::move(rules).set("template", *pattern);
    }
    if (first != nullptr && first->is_container()) {
        rules =
            std::move(rules).set("element", rules_for(*first, member(old, "element"), recursive));
    }
    return rules;
}

Value object_rules(const Object& object, const Value* old, bool recursive_parent) {
    const Value* meta = object.find(kMeta);
    const bool recursive =
        is_true(old, "recursive") || recursive_parent || is_true(meta, "recursiveExtensible");
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
                key, rules_for(value, member(member(old, "members"), key), recursive));
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

Value rules_for(const Value& data, const Value* old, bool recursive_parent) {
    const bool old_list = is_true(old, "list");
    if (data.is_array()) {
        return list_rules(data.as_array(), old_list ? old : nullptr, recursive_parent);
    }
    if (data.is_object()) {
        return object_rules(data.as_object(), old_list ? nullptr : old, recursive_parent);
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
    state.meta = Object{{kStructure, rules_for(*data, nullptr, false)}};
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

bool may_take(Work& work) {
    if (!work.policy.locks_structure || work.path.empty() || work.target() != nullptr) {
        return true;
    }
    const Path parent(work.path.begin(), work.path.end() - 1);
    const Value* rules = rules_at(work.meta, work.document(), parent);
    return rules == nullptr || is_true(rules, "extensible") ||
           work.fail(Code::kSchemaLocked, {shown(work.path)});
}

// New members get rules of their own, so that later commands of the reply can build on them.
void learn_structure(State& state) {
    const Value* old = state.meta.find(kStructure);
    const Value* data = value::find(state.document, root_of(state.document));
    if (old != nullptr && data != nullptr && data->is_object()) {
        state.meta = state.meta.set(kStructure, rules_for(*data, old, false));
    }
}

bool is_strict_set(const Object& meta) {
    return is_true(meta.find(kStructure), "strictSet");
}

}  // namespace internal
}  // namespace arbiter::engine
