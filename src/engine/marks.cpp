#include "engine/marks.h"

#include <algorithm>

#include "value/array.h"
#include "value/object.h"

namespace arbiter::engine {

using value::Value;

bool is_mark_set(const Value* mark) noexcept {
    return mark != nullptr && ((mark->is_bool() && mark->as_bool()) ||
                               (mark->is_string() && mark->as_string() == "true"));
}

bool is_mark_off(const Value* mark) noexcept {
    return mark != nullptr && ((mark->is_bool() && !mark->as_bool()) ||
                               (mark->is_string() && mark->as_string() == "false"));
}

bool is_protected(const Value& value) {
    return value.is_object() && is_mark_set(value.as_object().find("_is_protected"));
}

bool has_protected(const Value& value) {
    if (is_protected(value)) {
        return true;
    }
    if (value.is_object()) {
        for (const auto& [key, member] : value.as_object()) {
            if (has_protected(member)) {
                return true;
            }
        }
    } else if (value.is_array()) {
        return std::ranges::any_of(value.as_array(), has_protected);
    }
    return false;
}

std::optional<Value> protected_part(const Value& value) {
    if (is_protected(value)) {
        return value;
    }
    if (!has_protected(value)) {
        return std::nullopt;
    }
    if (value.is_array()) {
        value::Array kept;
        for (const Value& element : value.as_array()) {
            if (has_protected(element)) {
                kept = std::move(kept).push_back(element);
            }
        }
        return kept;
    }
    value::Object kept;
    for (const auto& [key, member] : value.as_object()) {
        if (auto part = protected_part(member)) {
            kept = std::move(kept).set(key, std::move(*part));
        }
    }
    return kept;
}

namespace {

void collect_protected(const Value& value, value::Path& path, std::size_t most,
                       std::vector<value::Path>& found) {
    if (found.size() >= most || !has_protected(value)) {
        return;
    }
    if (is_protected(value)) {
        found.push_back(path);
        return;
    }
    const auto enter = [&](value::Segment segment, const Value& member) {
        path.push_back(std::move(segment));
        collect_protected(member, path, most, found);
        path.pop_back();
    };
    if (value.is_array()) {
        for (std::size_t i = 0; i < value.as_array().size(); ++i) {
            enter(value::Segment(static_cast<std::int64_t>(i)), value.as_array()[i]);
        }
        return;
    }
    for (const auto& [key, member] : value.as_object()) {
        enter(value::Segment(key), member);
    }
}

}  // namespace

std::vector<value::Path> protected_paths(const Value& value, const value::Path& path,
                                         std::size_t most) {
    std::vector<value::Path> found;
    value::Path at = path;
    collect_protected(value, at, most, found);
    return found;
}

bool is_hidden(const Value& value, bool needs_filter) noexcept {
    return value.is_object() && is_mark_off(value.as_object().find("_showInEJS")) &&
           (!needs_filter || is_mark_set(value.as_object().find("_filter")));
}

bool has_filtered_out(const Value& value) {
    if (value.is_array()) {
        return std::ranges::any_of(value.as_array(), has_filtered_out);
    }
    return value.is_object() &&
           (is_filtered_out(value) ||
            std::ranges::any_of(value.as_object(), [](const value::Member& member) {
                return has_filtered_out(member.value);
            }));
}

}  // namespace arbiter::engine
