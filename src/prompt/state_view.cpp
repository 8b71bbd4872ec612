#include "prompt/state_view.h"

#include <algorithm>

#include "engine/marks.h"
#include "prompt/fair_share.h"
#include "value/array.h"
#include "value/described.h"
#include "value/hash.h"

namespace arbiter::prompt {

using value::Value;

std::size_t size_of(const Value& value) noexcept {
    // Capped so that adding overhead cannot overflow.
    return static_cast<std::size_t>(std::min<std::uint64_t>(value::weigh(value), kUnlimited / 2));
}

bool is_reserved_key(std::string_view key) noexcept {
    return key.starts_with('_') || key.starts_with('$');
}

bool is_hidden(const Value& value, const StateView& view) noexcept {
    return engine::is_hidden(value, view.needs_filter);
}

bool has_hidden_ancestor(const Value& document, const value::Path& path, const StateView& view) {
    for (std::size_t count = 1; count < path.size(); ++count) {
        const Value* above = value::find(document, path, count);
        if (above != nullptr && is_hidden(*above, view)) {
            return true;
        }
    }
    return false;
}

bool is_pair(const Value& value, bool in_module) noexcept {
    return value::is_described(value) && (in_module || !value.as_array()[0].is_string());
}

bool is_module(std::string_view root) noexcept {
    return root == "play_character_data" || root == "stat_data" || root == "assa_data";
}

}  // namespace arbiter::prompt
