#include "reader/internal/envelope.h"

#include <algorithm>

#include "text/case_fold.h"
#include "value/array.h"

namespace arbiter::reader::internal {
namespace {

// Whether a member's name says that its text is not for the player.
bool is_aside(std::string_view name) {
    constexpr std::string_view kStems[] = {
        "think",  "thought", "reason", "analysis", "reflect", "plan", "note", "comment",
        "explan", "summary", "memory", "思考",     "思路",    "分析", "推理", "原因",
        "理由",   "说明",    "备注",   "注释",     "总结",    "摘要", "记忆", "计划"};
    const std::string lower = text::fold_case(name);
    return std::ranges::any_of(
        kStems, [&](std::string_view stem) { return lower.find(stem) != std::string::npos; });
}

// Whether a text has the end of a sentence in it, which names and codes have not.
bool is_prose(std::string_view text) {
    constexpr std::string_view kEnds[] = {"。", "！", "？", "…", "”", "」", "!", "?"};
    if (std::ranges::any_of(kEnds,
                            [&](std::string_view end) { return text.find(end) != text.npos; })) {
        return true;
    }
    for (std::size_t at = text.find('.'); at != text.npos; at = text.find('.', at + 1)) {
        if (at + 1 == text.size() || text[at + 1] == ' ' || text[at + 1] == '\n' ||
            text[at + 1] == '"') {
            return at > 0;
        }
    }
    return false;
}

}  // namespace

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

std::string_view narrative_name(const value::Object& envelope) noexcept {
    std::string_view longest;
    std::size_t size = 0;
    for (const auto& [key, member] : envelope) {
        if (is_narrative_name(key.view()) && narrative_in(member)) {
            return key.view();
        }
        const std::string_view words = member.is_string() ? member.as_string() : "";
        if (words.size() > size && is_prose(words) && !is_aside(key.view())) {
            longest = key.view();
            size = words.size();
        }
    }
    return longest;
}

std::optional<std::string> find_narrative(const value::Object& envelope) {
    const std::string_view name = narrative_name(envelope);
    return name.empty() ? std::nullopt : narrative_in(*envelope.find(name));
}

}  // namespace arbiter::reader::internal
