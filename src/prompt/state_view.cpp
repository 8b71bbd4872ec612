#include "prompt/state_view.h"

#include <algorithm>

#include "prompt/fair_share.h"
#include "value/array.h"
#include "value/hash.h"
#include "value/object.h"

namespace arbiter::prompt {

using value::Value;

namespace {

bool is_off(const Value* mark) noexcept {
    return mark != nullptr && ((mark->is_bool() && !mark->as_bool()) ||
                               (mark->is_string() && mark->as_string() == "false"));
}
bool is_set(const Value* mark) noexcept {
    return mark != nullptr && ((mark->is_bool() && mark->as_bool()) ||
                               (mark->is_string() && mark->as_string() == "true"));
}

}  // namespace

std::size_t size_of(const Value& value) noexcept {
    // Capped so that adding overhead cannot overflow.
    return static_cast<std::size_t>(std::min<std::uint64_t>(value::weigh(value), kUnlimited / 2));
}

bool is_reserved_key(std::string_view key) noexcept {
    return key.starts_with('_') || key.starts_with('$');
}

bool is_hidden(const Value& value, const StateView& view) noexcept {
    return value.is_object() && is_off(value.as_object().find("_showInEJS")) &&
           (!view.needs_filter || is_set(value.as_object().find("_filter")));
}

bool is_pair(const Value& value, bool in_module) noexcept {
    if (!value.is_array() || value.as_array().size() != 2 || !value.as_array()[1].is_string()) {
        return false;
    }
    const Value& first = value.as_array()[0];
    return !first.is_array() && (in_module || !first.is_string());
}

bool is_module(std::string_view root) noexcept {
    return root == "play_character_data" || root == "stat_data" || root == "assa_data";
}

}  // namespace arbiter::prompt
