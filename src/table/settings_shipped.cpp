#include "table/settings_shipped.h"

#include "base/check.h"
#include "base/limits.h"

namespace arbiter::table {

using value::Value;

namespace {

SettingDefinition flag(std::string key, bool fallback, base::Text hint,
                       std::vector<std::string> tags) {
    SettingDefinition made;
    made.key = std::move(key);
    made.type = SettingType::kBool;
    made.fallback = fallback;
    made.validation.words = {"true or false", "开或关"};
    made.ui_hint = std::move(hint);
    made.effect_tags = std::move(tags);
    return made;
}

SettingDefinition count(std::string key, std::int64_t fallback, std::int64_t max, base::Text hint,
                        std::vector<std::string> tags, std::int64_t min = 0) {
    SettingDefinition made;
    made.key = std::move(key);
    made.type = SettingType::kInt;
    made.fallback = fallback;
    const std::string range = std::to_string(min) + "…" + std::to_string(max);
    made.validation = {{"a whole number, " + range, "整数，" + range}, min, max};
    made.ui_hint = std::move(hint);
    made.effect_tags = std::move(tags);
    return made;
}

SettingDefinition choice(std::string key, std::string fallback, std::vector<std::string> allowed,
                         base::Text hint, std::vector<std::string> tags) {
    SettingDefinition made;
    made.key = std::move(key);
    made.type = SettingType::kEnum;
    made.fallback = std::string_view(fallback);
    made.validation.words = {"one of the words that are listed", "所列取值之一"};
    made.validation.allowed = std::move(allowed);
    made.ui_hint = std::move(hint);
    made.effect_tags = std::move(tags);
    return made;
}

std::vector<SettingDefinition> definitions(const DialogTypes& dialogs) {
    std::vector<std::string> types;
    for (const DialogType& type : dialogs.all()) {
        types.push_back(type.id);
    }
    constexpr std::int64_t kMany = base::kToolNumberMax;
    const std::string first = types.front();
    std::vector<SettingDefinition> all = {
        flag("context.full_context_enabled", true,
             {"Switch: send every turn that fits", "开关：发送放得下的全部回合"}, {"context"}),
        flag("context.compress_enabled", false,
             {"Switch: send a summary and the last turns", "开关：只发送摘要和最近回合"},
             {"context"}),
        flag("rules.hp_zero_ends_game", true,
             {"Switch: without HP a character is down, and a party that is down has lost",
              "开关：生命归零即倒下，全队倒下则战役结束"},
             {"rules"}),
        flag("rules.party_moves", false,
             {"Switch: any member of the party may be moved, not only the active one",
              "开关：除当前行动者外，其他队员也可移动"},
             {"rules"}),
        flag("rules.map_replace", false,
             {"Switch: map_generate may replace a map that is in use",
              "开关：允许 map_generate 替换使用中的地图"},
             {"rules"}),
        count("rules.roll_sides", 10, base::kDiceSidesMax,
              {"Number: sides of the dice of a pool", "数字：骰池所用骰子的面数"}, {"rules"}, 2),
        count("rules.roll_success", 8, base::kDiceSidesMax,
              {"Number: a die of a pool succeeds from here on", "数字：骰池中单骰成功的最小点数"},
              {"rules"}, 1),
        count("rollback.max_checkpoints", 10, 10,
              {"Number: checkpoints that are kept; 0 turns rolling back off",
               "数字：保留的存档点个数，0 表示关闭回滚"},
              {"storage"}),
        choice(std::string(kDialogSetting), first, types,
               {"Choice: what kind of answer you want", "选择：想要哪一类回应"},
               {"routing", "context"}),
        flag("conflict.intercept_output", true,
             {"Switch: when the retries are used up, the narration that was refused is withheld",
              "开关：重试用尽后，不显示被驳回的叙事"},
             {"rules", "ui"}),
        flag("conflict.retry_with_debug", true,
             {"Switch: a retry tells the model what was wrong", "开关：重试时告诉模型哪里不对"},
             {"rules", "context"}),
        count("conflict.max_retries", 2, 5,
              {"Number: times that the model is asked for other words when it tells what is not so",
               "数字：叙述与状态不符时，最多请模型改写几次"},
              {"rules"}),
        choice("conflict.fallback", "cut", {"cut", "notice", "report"},
               {"Choice: when the retries are used up, cut the wrong sentences, put a notice "
                "in their place, or withhold the reply and report",
                "选择：重试用尽后，删去不符的句子，或以提示代替，或拦下整个回复并报告"},
               {"rules", "ui"}),
        count(
            "conflict.confidence_min", 70, 100,
            {"Number: findings about the narration below this confidence, in percent, do not count",
             "数字：置信度低于此百分比的叙述冲突不计"},
            {"rules"}),
        flag("dialog.conflict_text_checks_enabled", true,
             {"Switch: the narration itself is compared with the state, not only the changes",
              "开关：除变更外，也将叙述文字与状态对照"},
             {"rules"}),
        choice(
            "turn.mode", "guarded", {"guarded", "live", "resolve_first"},
            {"Choice: show a turn when it has passed, show it at once and correct later, or settle "
             "calls and commands first and narrate then",
             "选择：通过检查后再显示，或边写边显示、事后更正，或先结算指令再叙述"},
            {"rules", "context"}),
        count("turn.max_retries", 2, 5,
              {"Number: times that the model is asked again in a turn", "数字：每回合最多重试次数"},
              {"rules"}),
        choice("turn.feedback_mode", "retry", {"retry", "next_turn"},
               {"Choice: tell the model of refused calls at once, or with the next turn",
                "选择：被拒的调用立即重试，或留到下一回合告知"},
               {"rules", "context"}),
        choice("chat.inject", "full", {"full", "state", "off"},
               {"Choice: what is added to the messages of a chat client: protocols, tools and the "
                "state, the state alone, or nothing",
                "选择：向聊天客户端的消息中加入协议、工具与状态，或只加入状态，或都不加入"},
               {"context"}),
        flag("chat.passthrough_blocks", false,
             {"Switch: the text for a chat client keeps its command blocks, for cards whose "
              "scripts read them",
              "开关：发给聊天客户端的文字保留指令块，供读取它们的角色卡脚本使用"},
             {"ui"}),
        count("spend.turn_tokens_max", 0, kMany,
              {"Number: tokens of one turn, retries included; 0 is without a cap",
               "数字：单回合（含重试）的 token 上限，0 为不限"},
              {"rules", "ui"}),
        count("spend.turn_calls_max", 0, 100,
              {"Number: requests to the model in one turn; 0 is without a cap",
               "数字：单回合请求模型次数上限，0 为不限"},
              {"rules", "ui"}),
        count("spend.campaign_tokens_max", 0, kMany,
              {"Number: tokens of the whole campaign; 0 is without a cap",
               "数字：整个战役的 token 上限，0 为不限"},
              {"rules", "ui"}),
        count("spend.campaign_calls_max", 0, kMany,
              {"Number: requests to the model in the whole campaign; 0 is without a cap",
               "数字：整个战役请求模型次数上限，0 为不限"},
              {"rules", "ui"}),
        choice("milestone.policy", "by_turn_count",
               {"by_turn_count", "by_token_estimate", "by_summary_version", "off"},
               {"Choice: what makes the story press on", "选择：由什么推进里程碑"}, {"rules"}),
        count("milestone.threshold", 6, kMany,
              {"Number: turns, tokens or summary entries from one advance to the next",
               "数字：两次推进之间的回合数、token 数或摘要条数"},
              {"rules"}, 1),
        count("summary.every_turns", 10, 1000,
              {"Number: turns after which the narrator is asked for a summary; 0 never asks",
               "数字：隔多少回合请叙述者写一次总结，0 表示不要求"},
              {"context", "storage"}),
        count("summary.merge_at", 10, base::kSummaryEntriesMax,
              {"Number: summaries that are merged into one; 0 merges as late as possible",
               "数字：总结达到多少条时归并为一条，0 表示尽量晚"},
              {"context", "storage"}),
        count("tokens.chars_per_token", 4, 16,
              {"Number: characters of a token outside Chinese, Japanese and Korean",
               "数字：非中日韩文字每个 token 的字符数"},
              {"context"}, 1),
    };
    SettingDefinition language;
    language.key = "ui.language";
    language.type = SettingType::kString;
    language.fallback = "auto";
    language.scope = SettingScope::kGlobal;
    language.validation.words = {"auto, zh or en", "auto、zh 或 en"};
    language.validation.pattern = "^(auto|zh|en)$";
    language.ui_hint = {"Text: the language of prompts and notices; auto is that of the player",
                        "文本：提示词与提示所用语言，auto 随玩家的文字"};
    language.effect_tags = {"ui", "context"};
    all.push_back(std::move(language));
    SettingDefinition user;
    user.key = "user.name";
    user.type = SettingType::kString;
    user.fallback = "";
    user.validation.words = {"a name of up to 100 characters, or nothing",
                             "不超过 100 字的名字，可为空"};
    user.validation.pattern = "^[^\\n\\r{}]{0,100}$";
    user.ui_hint = {
        "Text: the player's name, {{user}} in cards and lore; default: the active "
        "character's, else User",
        "文本：玩家的名字，即角色卡与世界书中的 {{user}}；默认取当前角色的名字，否则为 "
        "User"};
    user.effect_tags = {"context"};
    all.push_back(std::move(user));
    SettingDefinition limits;
    limits.key = "context.block_limits";
    limits.type = SettingType::kJson;
    limits.fallback = value::Object();
    limits.validation.words = {"an object: block → characters", "对象：提示词块 → 字符数"};
    limits.ui_hint = {"JSON: the most characters of a block", "JSON：各提示词块的最大字符数"};
    limits.effect_tags = {"context"};
    all.push_back(std::move(limits));
    return all;
}

}  // namespace

SettingsRegistry shipped_settings(const DialogTypes& dialogs) {
    CHECK(!dialogs.all().empty());
    SettingsRegistry registry;
    for (SettingDefinition& definition : definitions(dialogs)) {
        CHECK(registry.add(std::move(definition)).has_value());
    }
    CHECK(registry.exclude("context.compress_enabled", "context.full_context_enabled").has_value());
    return registry;
}

}  // namespace arbiter::table
