#include "reader/internal/envelope.h"

#include <algorithm>

#include "value/array.h"

namespace arbiter::reader::internal {

bool is_narrative_name(std::string_view name) noexcept {
    constexpr std::string_view kNames[] = {"text",     "narrative", "narration", "story", "reply",
                                           "response", "content",   "message",   "文本",  "正文",
                                           "叙事",     "叙述",      "叙事文本",  "剧情",  "回复"};
    return std::ranges::find(kNames, name) != std::end(kNames);
}

std::optional<std::string> narrative_in(const value::Value& value) {
    if (value.is_string()) {
        return std::string(value.as_string());
    }
    if (!value.is_array() || value.as_array().empty() ||
        !std::ranges::all_of(value.as_array(), &value::Value::is_string)) {
        return std::nullopt;
    }
    std::string joined;
    for (const value::Value& each : value.as_array()) {
        joined += joined.empty() ? "" : "\n\n";
        joined += each.as_string();
    }
    return joined;
}

std::optional<std::string> find_narrative(const value::Object& envelope) {
    for (const auto& [key, member] : envelope) {
        if (!is_narrative_name(key.view())) {
            continue;
        }
        if (auto text = narrative_in(member)) {
            return text;
        }
    }
    return std::nullopt;
}

}  // namespace arbiter::reader::internal
