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

bool is_hidden(const Value& value, bool needs_filter) noexcept {
    return value.is_object() && is_mark_off(value.as_object().find("_showInEJS")) &&
           (!needs_filter || is_mark_set(value.as_object().find("_filter")));
}

}  // namespace arbiter::engine
