#include "table/goal.h"

#include "base/limits.h"
#include "table/layout.h"
#include "value/array.h"
#include "value/editor.h"

namespace arbiter::table {

using base::ErrorCode;
using base::Language;
using value::Object;
using value::Value;

namespace {

// Bounds the size of the request for large worlds.
constexpr std::size_t kListedMax = 60;

void add_line(std::string& text, std::string_view head, std::string_view body) {
    if (!body.empty()) {
        text += std::string(head) + ": " + std::string(body) + "\n";
    }
}

void add_areas(std::string& text, const Value& document) {
    std::size_t listed = 0;
    for (const auto& [id, area] : object_or_empty(find_in_campaign(document, {"areas"}))) {
        if (++listed > kListedMax) {
            break;
        }
        text += "- " + std::string(id.view()) + " " + std::string(text_in(&area, "name"));
        const std::string_view about = text_in(&area, "description");
        text += (about.empty() ? "" : ": " + std::string(about)) + "\n";
    }
    listed = 0;
    for (const auto& [id, path] : object_or_empty(find_in_campaign(document, {"paths"}))) {
        if (++listed > kListedMax) {
            break;
        }
        text += "- " + std::string(text_in(&path, "from")) + " ↔ " +
                std::string(text_in(&path, "to")) + "\n";
    }
}

void add_characters(std::string& text, const Value& document) {
    std::size_t listed = 0;
    for (const auto& [id, card] : object_or_empty(find_in_campaign(document, {"characters"}))) {
        if (++listed > kListedMax) {
            break;
        }
        text += "- " + std::string(text_in(&card, "name"));
        for (const std::string_view key : {"title", "race", "job"}) {
            const std::string_view word = text_in(&card, key);
            text += word.empty() ? "" : " · " + std::string(word);
        }
        const std::string_view about = text_in(&card, "background");
        text += (about.empty() ? "" : ": " + std::string(about)) + "\n";
    }
}

}  // namespace

std::string goal_request(const Value& document, Language language) {
    const bool chinese = language == Language::kChinese;
    std::string text =
        chinese
            ? "根据下面的世界、地图和角色，为这场战役写出一个终极目标，只写一句话。\n\n## 世界\n"
            : "From the world, the map and the characters below, write the ultimate goal of "
              "this campaign, in one sentence.\n\n## World\n";
    const Value* world = find_in_campaign(document, {"world"});
    add_line(text, chinese ? "名称" : "Name", text_in(world, "name"));
    add_line(text, chinese ? "背景" : "Background", text_in(world, "background"));
    text += chinese ? "\n## 地图\n" : "\n## Map\n";
    add_areas(text, document);
    text += chinese ? "\n## 角色\n" : "\n## Characters\n";
    add_characters(text, document);
    return text;
}

base::Result<Value> set_goal(const Value& document, std::string_view text, bool is_hidden) {
    if (!has_campaign(document)) {
        return base::fail(ErrorCode::kNoCampaign);
    }
    if (!text_in(find_in_campaign(document, {"goal"}), "ultimate_goal_text").empty()) {
        return base::fail(ErrorCode::kGoalFixed);
    }
    if (text.empty() || text.size() > base::kToolTextBytesMax) {
        return base::fail(ErrorCode::kBadField,
                          {"ultimate_goal_text", "1…" + std::to_string(base::kToolTextBytesMax),
                           std::to_string(text.size())});
    }
    return value::set(document, campaign_path({"goal"}),
                      Object{{"ultimate_goal_text", text}, {"is_hidden", is_hidden}},
                      value::Parents::kCreate);
}

bool is_goal_hidden(const Value& document) noexcept {
    const Value* hidden = find_in_campaign(document, {"goal", "is_hidden"});
    return hidden != nullptr && hidden->is_bool() && hidden->as_bool();
}

}  // namespace arbiter::table
