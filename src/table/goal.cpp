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

// A request to a model stays bearable however large a world is.
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

namespace {

// The text without the goal in it.
std::string masked_text(std::string_view text, std::string_view goal) {
    std::string shown;
    for (std::size_t at = text.find(goal); at != std::string_view::npos; at = text.find(goal)) {
        shown += std::string(text.substr(0, at)) + "……";
        text.remove_prefix(at + goal.size());
    }
    return shown + std::string(text);
}

// A command may have copied the goal to where a player looks; parts without it stay shared.
Value masked(const Value& value, std::string_view goal) {
    if (value.is_string()) {
        return value.as_string().find(goal) == std::string_view::npos
                   ? value
                   : Value(std::string_view(masked_text(value.as_string(), goal)));
    }
    if (value.is_array()) {
        value::Array made = value.as_array();
        for (std::size_t i = 0; i < value.as_array().size(); ++i) {
            Value part = masked(value.as_array()[i], goal);
            if (!part.is_identical(value.as_array()[i])) {
                made = std::move(made).set(i, std::move(part));
            }
        }
        return made;
    }
    if (value.is_object()) {
        Object made = value.as_object();
        for (const auto& [key, member] : value.as_object()) {
            Value part = masked(member, goal);
            if (!part.is_identical(member)) {
                made = std::move(made).set(key, std::move(part));
            }
        }
        return made;
    }
    return value;
}

std::string_view hidden_goal(const Value& document) noexcept {
    return is_goal_hidden(document)
               ? text_in(find_in_campaign(document, {"goal"}), "ultimate_goal_text")
               : std::string_view();
}

}  // namespace

Value for_player(const Value& document) {
    const std::string goal(hidden_goal(document));
    if (goal.empty()) {
        return document;
    }
    auto stripped = value::erase(document, campaign_path({"goal", "ultimate_goal_text"}));
    return masked(stripped ? *stripped : document, goal);
}

std::string for_player(const Value& document, std::string_view text) {
    const std::string goal(hidden_goal(document));
    return goal.empty() ? std::string(text) : masked_text(text, goal);
}

}  // namespace arbiter::table
