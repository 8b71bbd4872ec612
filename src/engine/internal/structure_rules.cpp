#include "engine/internal/structure_rules.h"

#include <algorithm>

#include "value/array.h"
#include "value/editor.h"
#include "value/merge.h"

namespace arbiter::engine::internal {

using value::Array;
using value::find_member;
using value::Object;
using value::Path;
using value::Value;

namespace {

constexpr std::string_view kStructure = "structure";
constexpr std::string_view kMeta = "$meta";
// In the meta, true: some set brought rules, and they may still be in the data.
constexpr std::string_view kWritten = "structure_written";
constexpr std::string_view kMarker = "$__META_EXTENSIBLE__$";

bool is_marker(const Value& element) {
    return element.is_string() && element.as_string() == kMarker;
}

bool is_array_meta(const Value& element) {
    return is_true(&element, "$arrayMeta") && find_member(&element, kMeta) != nullptr;
}

// Whether an element of a list is a rule, not data.
bool is_rule(const Value& element) {
    return is_marker(element) || is_array_meta(element);
}

// The inputs of a rules node beside its data: the rules so far, the data that those were derived
// from, and a setting of the parent. Rules of unchanged data are reused.
struct Origin {
    const Value* old = nullptr;
    const Value* data_before = nullptr;
    bool recursive_parent = false;
    // Whether the rules of elements are reused too: an insert into any element changes them.
    bool reuses_elements = false;
};

Value derive_rules(const Value& data, const Origin& origin);

// The first element that is data, not a rule.
const Value* first_of(const Array& list) {
    for (const Value& element : list) {
        if (!is_rule(element)) {
            return &element;
        }
    }
    return nullptr;
}

Value list_rules(const Array& list, const Origin& origin) {
    const Value* old = origin.old;
    bool extensible = is_true(old, "extensible");
    const Value* pattern = find_member(old, "template");
    bool marked = false;
    for (const Value& element : list) {
        marked = marked || is_marker(element);
        if (is_array_meta(element)) {
            const Value* meta = find_member(&element, kMeta);
            if (const Value* flag = find_member(meta, "extensible")) {
                extensible = flag->is_bool() && flag->as_bool();
            }
            pattern =
                find_member(meta, "template") != nullptr ? find_member(meta, "template") : pattern;
        }
    }
    extensible = extensible || marked;
    const bool recursive = is_true(old, "recursive") || origin.recursive_parent;
    Object rules = {{"list", true},
                    {"extensible", extensible || origin.recursive_parent},
                    {"recursive", recursive}};
    if (pattern != nullptr) {
        rules = std::move(rules).set("template", *pattern);
    }
    const Value* first = first_of(list);
    if (first != nullptr && first->is_container()) {
        const Value* before = origin.reuses_elements && origin.data_before != nullptr &&
                                      origin.data_before->is_array()
                                  ? first_of(origin.data_before->as_array())
                                  : nullptr;
        rules = std::move(rules).set(
            "element", derive_rules(*first, {find_member(old, "element"), before, recursive,
                                             origin.reuses_elements}));
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
                                          find_member(origin.data_before, key), recursive,
                                          origin.reuses_elements}));
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
    // A parent that has become recursive reaches unchanged data too.
    const bool inherits = origin.recursive_parent && !is_true(origin.old, "recursive");
    if (origin.old != nullptr && origin.data_before != nullptr && !inherits &&
        is_true(origin.old, "list") == data.is_array() && *origin.data_before == data) {
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

bool has_rules(const Value& data) {
    if (data.is_array()) {
        return std::ranges::any_of(data.as_array(), [](const Value& element) {
            return is_marker(element) || has_rules(element);
        });
    }
    return data.is_object() &&
           std::ranges::any_of(data.as_object(), [](const value::Member& member) {
               return member.key == kMeta || has_rules(member.value);
           });
}

Value without_rules(const Value& data) {
    if (data.is_array()) {
        std::vector<Value> kept;
        bool changed = false;
        for (const Value& element : data.as_array()) {
            if (!is_rule(element)) {
                kept.push_back(without_rules(element));
            }
            changed = changed || is_rule(element) || !kept.back().is_identical(element);
        }
        return changed ? Array(std::span<const Value>(kept)) : data;
    }
    if (data.is_object()) {
        Object kept = data.as_object().erase(kMeta);
        for (const auto& [key, value] : data.as_object()) {
            Value clean = key == kMeta ? value : without_rules(value);
            if (!clean.is_identical(value)) {
                kept = std::move(kept).set(key, std::move(clean));
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
            derive_rules(*data, {old, value::find(before, structure_root(before)), false, false});
        meta = std::move(meta).set(kStructure, std::move(rules));
        if (has_written_rules(meta) && !has_rules(*data)) {
            meta = std::move(meta).erase(kWritten);
        }
    }
}

namespace {

// The rules of a node after an insert below it: the fresh ones, and what they no longer mention.
Value united(const Value& old, const Value& fresh) {
    if (!old.is_object() || !fresh.is_object() ||
        is_true(&old, "list") != is_true(&fresh, "list")) {
        return fresh;
    }
    Object rules = fresh.as_object();
    const Value* pattern = old.as_object().find("template");
    if (const Value* next = rules.find("template"); next != nullptr && pattern != nullptr) {
        Value merged = value::merge(*pattern, *next, value::Merge::kIndexed);
        rules = std::move(rules).set("template", std::move(merged));
    }
    const Value* required = rules.find("required");
    if (required == nullptr) {
        return rules;
    }
    const Value* known = old.as_object().find("required");
    const Value* nodes = old.as_object().find("members");
    Object names = required->as_object();
    Object members = rules.find("members")->as_object();
    for (const auto& [key, needed] : known->as_object()) {
        if (names.contains(key)) {
            continue;
        }
        names = std::move(names).set(key, needed);
        if (const Value* node = find_member(nodes, key)) {
            members = std::move(members).set(key, *node);
        }
    }
    return std::move(rules).set("required", std::move(names)).set("members", std::move(members));
}

}  // namespace

void extend_rules(Object& meta, const Value& document, const Path& path, const Value& data) {
    const std::size_t begin = structure_root(document).size();
    Path place = {kStructure};
    const Value* rules = meta.find(kStructure);
    const Value* around = value::find(document, path, std::min(begin, path.size()));
    for (std::size_t i = begin; i < path.size(); ++i) {
        const bool list = around != nullptr && around->is_array();
        const value::Str key(path[i].as_key());
        // Below a node of another kind nothing has rules until the end of the reply.
        if (list != is_true(rules, "list") ||
            (!list && find_member(find_member(rules, "required"), key) == nullptr)) {
            return;
        }
        if (list) {
            place.emplace_back("element");
        } else {
            place.emplace_back("members");
            place.emplace_back(key);
        }
        rules =
            list ? find_member(rules, "element") : find_member(find_member(rules, "members"), key);
        const auto step = around != nullptr ? value::step_into(*around, path[i]) : std::nullopt;
        around = step ? step->value : nullptr;
    }
    // Rules that a set brought are read again, also in unchanged data.
    const Value* before = has_written_rules(meta) ? nullptr : around;
    const Value fresh = derive_rules(data, {rules, before, false, true});
    auto next = value::set(meta, place, rules != nullptr ? united(*rules, fresh) : fresh);
    if (next) {
        meta = next->as_object();
    }
}

void mark_written_rules(Object& meta) {
    meta = std::move(meta).set(kWritten, true);
}

bool has_written_rules(const Object& meta) noexcept {
    return meta.contains(kWritten);
}

bool is_strict_set(const Object& meta) {
    return is_true(meta.find(kStructure), "strictSet");
}

}  // namespace arbiter::engine::internal
