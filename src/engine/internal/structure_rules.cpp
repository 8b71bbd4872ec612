#include "engine/internal/structure_rules.h"

#include <algorithm>

#include "value/array.h"

namespace arbiter::engine::internal {

using value::Array;
using value::find_member;
using value::Object;
using value::Path;
using value::Value;

namespace {

constexpr std::string_view kStructure = "structure";
constexpr std::string_view kMeta = "$meta";
constexpr std::string_view kMarker = "$__META_EXTENSIBLE__$";

bool is_array_meta(const Value& element) {
    return is_true(&element, "$arrayMeta") && find_member(&element, kMeta) != nullptr;
}

// The inputs of a rules node beside its data: the rules so far, the data that those were derived
// from, and a setting of the parent. Rules of unchanged data are reused.
struct Origin {
    const Value* old = nullptr;
    const Value* data_before = nullptr;
    bool recursive_parent = false;
};

Value derive_rules(const Value& data, const Origin& origin);

// The first element that is data, not a rule.
const Value* first_of(const Array& list) {
    for (const Value& element : list) {
        if (!(element.is_string() && element.as_string() == kMarker) && !is_array_meta(element)) {
            return &element;
        }
    }
    return nullptr;
}

Value list_rules(const Array& list, const Origin& origin) {
    const Value* old = origin.old;
    bool extensible = is_true(old, "extensible");
    const Value* pattern = find_member(old, "template");
    for (const Value& element : list) {
        if (element.is_string() && element.as_string() == kMarker) {
            extensible = true;
        } else if (is_array_meta(element)) {
            const Value* meta = find_member(&element, kMeta);
            if (const Value* flag = find_member(meta, "extensible")) {
                extensible = flag->is_bool() && flag->as_bool();
            }
            pattern =
                find_member(meta, "template") != nullptr ? find_member(meta, "template") : pattern;
        }
    }
    const bool recursive = is_true(old, "recursive") || origin.recursive_parent;
    Object rules = {{"list", true},
                    {"extensible", extensible || origin.recursive_parent},
                    {"recursive", recursive}};
    if (pattern != nullptr) {
        rules = std::move(rules).set("template", *pattern);
    }
    const Value* first = first_of(list);
    if (first != nullptr && first->is_container()) {
        const Value* before = origin.data_before != nullptr && origin.data_before->is_array()
                                  ? first_of(origin.data_before->as_array())
                                  : nullptr;
        rules = std::move(rules).set(
            "element", derive_rules(*first, {find_member(old, "element"), before, recursive}));
    }
    return rules;
}

Value object_rules(const Object& object, const Origin& origin) {
    const Value* old = origin.old;
    const Value* meta = object.find(kMeta);
    const bool recursive = is_true(old, "recursive") || origin.recursive_parent ||
                           is_true(meta, "recursiveExtensible");
    const bool extensible = is_true(old, "extensible") || is_true(meta, "extensible") || recursive;
    const Value* pattern = find_member(meta, "template");
    pattern = pattern != nullptr ? pattern : find_member(old, "template");
    const Value* named = find_member(meta, "required");
    Object members;
    Object required;
    for (const auto& [key, value] : object) {
        if (key == kMeta) {
            continue;
        }
        if (value.is_container()) {
            members = std::move(members).set(
                key, derive_rules(value, {find_member(find_member(old, "members"), key),
                                          find_member(origin.data_before, key), recursive}));
        }
        bool needed = !extensible;
        if (named != nullptr && named->is_array()) {
            needed = needed || std::ranges::any_of(named->as_array(), [&](const Value& each) {
                         return each.is_string() && each.as_string() == key.view();
                     });
        }
        if (const Value* sticky = find_member(find_member(old, "required"), key)) {
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
    const Value* concat = find_member(meta, "concatTemplateArray");
    if ((concat != nullptr && concat->is_bool() && !concat->as_bool()) ||
        is_true(old, "mergeTemplateArray")) {
        rules = std::move(rules).set("mergeTemplateArray", true);
    }
    if (is_true(meta, "strictSet") || is_true(old, "strictSet")) {
        rules = std::move(rules).set("strictSet", true);
    }
    return rules;
}

Value derive_rules(const Value& data, const Origin& origin) {
    if (origin.old != nullptr && origin.data_before != nullptr && *origin.data_before == data) {
        return *origin.old;
    }
    const bool old_list = is_true(origin.old, "list");
    Origin own = origin;
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

}  // namespace

bool is_true(const Value* object, std::string_view key) noexcept {
    const Value* found = find_member(object, key);
    return found != nullptr && found->is_bool() && found->as_bool();
}

Value without_rules(const Value& data) {
    if (data.is_array()) {
        std::vector<Value> kept;
        for (const Value& element : data.as_array()) {
            const bool marker = element.is_string() && element.as_string() == kMarker;
            if (!marker && !is_array_meta(element)) {
                kept.push_back(without_rules(element));
            }
        }
        return Array(std::span<const Value>(kept));
    }
    if (data.is_object()) {
        Object kept;
        for (const auto& [key, value] : data.as_object()) {
            if (key != kMeta) {
                kept = std::move(kept).set(key, without_rules(value));
            }
        }
        return kept;
    }
    return data;
}

Path structure_root(const Value& document) {
    return document.is_object() && document.as_object().contains("stat_data") ? Path{"stat_data"}
                                                                              : Path{};
}

const Value* structure_rules(const Object& meta) noexcept {
    return meta.find(kStructure);
}

void derive_structure(Object& meta, const Value& document) {
    const Value* data = value::find(document, structure_root(document));
    meta = std::move(meta).set(kStructure, derive_rules(*data, {}));
}

const Value* rules_at(const Object& meta, const Value& document, const Path& path) {
    const Value* rules = meta.find(kStructure);
    const std::size_t begin = structure_root(document).size();
    const Value* data = value::find(
        document, Path(path.begin(),
                       path.begin() + static_cast<std::ptrdiff_t>(std::min(begin, path.size()))));
    for (std::size_t i = begin; i < path.size() && rules != nullptr; ++i) {
        rules = data != nullptr && data->is_array()
                    ? find_member(rules, "element")
                    : find_member(find_member(rules, "members"), path[i].as_key());
        const auto step = data != nullptr ? value::step_into(*data, path[i]) : std::nullopt;
        data = step ? step->value : nullptr;
    }
    return rules != nullptr && rules->is_object() ? rules : nullptr;
}

void follow_structure(Object& meta, const Value& before, const Value& after) {
    const Value* old = meta.find(kStructure);
    const Value* data = value::find(after, structure_root(after));
    if (old != nullptr && data != nullptr && data->is_object()) {
        Value rules =
            derive_rules(*data, {old, value::find(before, structure_root(before)), false});
        meta = std::move(meta).set(kStructure, std::move(rules));
    }
}

bool is_strict_set(const Object& meta) {
    return is_true(meta.find(kStructure), "strictSet");
}

}  // namespace arbiter::engine::internal
