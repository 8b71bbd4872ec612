#include "engine/marks.h"

#include <algorithm>

#include "value/array.h"
#include "value/object.h"

namespace arbiter::engine {

using value::Value;

namespace {

// A mark that is set: true or "true".
bool is_set(const Value* mark) {
    return mark != nullptr && ((mark->is_bool() && mark->as_bool()) ||
                               (mark->is_string() && mark->as_string() == "true"));
}
// One that is there and not set.
bool is_off(const Value* mark) {
    return mark != nullptr && ((mark->is_bool() && !mark->as_bool()) ||
                               (mark->is_string() && mark->as_string() == "false"));
}

}  // namespace

bool is_protected(const Value& value) {
    return value.is_object() && is_set(value.as_object().find("_is_protected"));
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

bool is_hidden(const Value& value) {
    return value.is_object() && is_set(value.as_object().find("_filter")) &&
           is_off(value.as_object().find("_showInEJS"));
}

}  // namespace arbiter::engine
