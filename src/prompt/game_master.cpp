#include "prompt/game_master.h"

#include <algorithm>

#include "base/text.h"
#include "prompt/render.h"
#include "table/goal.h"
#include "table/layout.h"
#include "value/json.h"

namespace arbiter::prompt {

using base::Language;
using table::text_in;
using value::Object;
using value::Value;

namespace {

bool is_blank(const Value& value) {
    return value.is_null() || (value.is_string() && value.as_string().empty()) ||
           (value.is_array() && value.as_array().empty()) ||
           (value.is_object() && value.as_object().empty());
}

// A list of "key: value" lines; a container is below its key.
std::string listed(const Object& members, std::size_t room) {
    std::string text;
    for (const auto& [key, value] : members) {
        if (is_blank(value) || is_reserved_key(key)) {
            continue;
        }
        if (text.size() > room) {
            return text + "\n- …";
        }
        StateView view;
        view.bytes = room;
        std::string line = render_value(Object{{key.view(), value}}, view);
        std::size_t at = 0;
        while ((at = line.find('\n', at)) != std::string::npos) {
            line.insert(++at, "  ");
        }
        text += (text.empty() ? "- " : "\n- ") + line;
    }
    return text;
}

}  // namespace

std::string role_text(const Value& document, Language language) {
    const Value* campaign = table::find_in_campaign(document, {});
    const std::string title(text_in(campaign, "title"));
    if (language == Language::kChinese) {
        return "你是" + (title.empty() ? std::string("这场跑团") : "《" + title + "》") +
               "的主持人，讲述故事，扮演队伍以外的人。"
               "生命、位置、物品、生死、规则、地图由系统裁决，你只提议："
               "没有提议、也未结算的变化，不写成已经发生。"
               "除玩家所说之外，不替队伍角色行动、说话或决定。"
               "做不到的事，写出尝试，由系统拒绝。";
    }
    return "You are the game master of " +
           (title.empty() ? std::string("this game") : "\"" + title + "\"") +
           ": you tell the story and voice everyone outside the party. The system keeps the "
           "truth about hit points, places, belongings, life and death, rules and map: you "
           "propose, it decides. Never tell such a change as done unless you propose it in this "
           "reply or the system has settled it. Never act, speak or decide for the party's "
           "characters beyond what the player said. When the player tries the impossible, tell the "
           "attempt and let the system refuse.";
}

std::string_view narrator_text(bool has_card, bool has_state, Language language) noexcept {
    static constexpr base::TextView kCard = {
        "Write the next reply of this role-play as {{char}} and everyone else but {{user}}, for "
        "whom you never act or speak.",
        "写出这场角色扮演的下一段回复：你扮演{{char}}和其他所有人，"
        "唯独不替{{user}}行动或说话。"};
    static constexpr base::TextView kCardState = {
        "Write the next reply of this role-play as {{char}} and everyone else but {{user}}, for "
        "whom you never act or speak. The system keeps the state shown below: it changes only by "
        "your commands, and what they do not change stays as it is, whatever you write.",
        "写出这场角色扮演的下一段回复：你扮演{{char}}和其他所有人，"
        "唯独不替{{user}}行动或说话。下列状态由系统保管，只有你写的指令能改变它；"
        "指令没有改变的，无论正文怎么写，都保持原样。"};
    static constexpr base::TextView kStory = {
        "You are the narrator of this story and play everyone but the player's character, for "
        "whom you never act or speak.",
        "你是这个故事的主持人，扮演玩家角色以外的所有人，不替玩家的角色行动或说话。"};
    static constexpr base::TextView kStoryState = {
        "You are the narrator of this story and play everyone but the player's character, for "
        "whom you never act or speak. The system keeps the state shown below: it changes only by "
        "your commands, and what they do not change stays as it is, whatever you write.",
        "你是这个故事的主持人，扮演玩家角色以外的所有人，不替玩家的角色行动或说话。"
        "下列状态由系统保管，只有你写的指令能改变它；指令没有改变的，无论正文怎么写，都保持原样。"};
    if (has_card) {
        return (has_state ? kCardState : kCard).in(language);
    }
    return (has_state ? kStoryState : kStory).in(language);
}

std::string world_text(const Value& document, Language language, std::size_t room) {
    const bool chinese = language == Language::kChinese;
    const Object& world = table::object_or_empty(table::find_in_campaign(document, {"world"}));
    const Value self = world;
    std::string text(text_in(&self, "name"));
    if (const std::string_view background = text_in(&self, "background"); !background.empty()) {
        text += (text.empty() ? "" : chinese ? "：" : ": ") + std::string(background);
    }
    Object rest = world;
    for (const std::string_view key : {"id", "name", "background"}) {
        rest = std::move(rest).erase(key);
    }
    const std::string more = listed(rest, room);
    text += more.empty() ? "" : (text.empty() ? "" : "\n") + more;
    const std::string rules =
        listed(table::object_or_empty(table::find_in_campaign(document, {"rules"})), room);
    if (!rules.empty()) {
        text += std::string(text.empty() ? "" : "\n") + (chinese ? "规则：\n" : "Rules:\n") + rules;
    }
    return text;
}

GoalText goal_text(const Value& document, Language language) {
    const bool chinese = language == Language::kChinese;
    const std::string text(
        text_in(table::find_in_campaign(document, {"goal"}), "ultimate_goal_text"));
    if (text.empty()) {
        return {};
    }
    if (!table::is_goal_hidden(document)) {
        return {chinese ? "# 目标（玩家已知）" : "# Goal (known to the players)", text};
    }
    return {chinese ? "# 秘密目标（只有你知道）" : "# Secret goal (known to you alone)",
            text + (chinese ? "\n故事朝它推进，只从线索与后果中显露；"
                              "玩家怎么问，都不引用、说破或证实。"
                            : "\nThe story moves toward it. Never quote, name or confirm it, "
                              "whatever the player asks; let it show in clues and "
                              "consequences.")};
}

std::string_view style_text(Language language) noexcept {
    return language == Language::kChinese
               ? "用中文，以“你”称玩家，两三段；停在玩家能接话处，不列选项。"
               : "Write in English, to the player as \"you\", in the present tense, two or three "
                 "short paragraphs. End where the player can answer, not with a list of options.";
}

std::string settings_text(const table::SettingsRegistry& registry, const Object& settings,
                          Language language) {
    std::string text;
    for (const table::SettingDefinition& each : registry.all()) {
        const Value* value = settings.find(each.key);
        if (!each.key.starts_with("rules.") || value == nullptr) {
            continue;
        }
        // The hint begins with the kind of control: "Switch: …".
        std::string_view hint = each.ui_hint.in(language);
        const std::string_view mark = language == Language::kChinese ? "：" : ": ";
        if (const std::size_t colon = hint.find(mark); colon != std::string_view::npos) {
            hint.remove_prefix(colon + mark.size());
        }
        text += (text.empty() ? "- " : "\n- ") + std::string(hint) + std::string(mark);
        if (value->is_bool()) {
            constexpr base::TextView kYes = {"yes", "是"};
            constexpr base::TextView kNo = {"no", "否"};
            text += (value->as_bool() ? kYes : kNo).in(language);
        } else {
            text += value::print_json(*value);
        }
    }
    return text;
}

}  // namespace arbiter::prompt
