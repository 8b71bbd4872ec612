// Goal: memories, pins, facts, the state and the meaning of a world's level come out of the
// document as the specification says; plans are data and choose by the player's word.
#include "prompt/summary.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "prompt/fair_share.h"
#include "prompt/plan.h"
#include "table/dialog.h"
#include "text/tokens.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::prompt {
namespace {

using value::Object;
using value::Value;

Value parsed(std::string_view text) {
    auto value = value::parse_json(text);
    EXPECT_TRUE(value) << text;
    return value ? *value : Value();
}

// A plan, as a dialog type writes it.
Plan plan_written(std::string_view prompt) {
    table::DialogType type;
    type.prompt = parsed(prompt);
    EXPECT_TRUE(
        check_plans(Object{{"dialog_types", Object{{"duel", Object{{"prompt", type.prompt}}}}}})
            .empty());
    return plan_of(type);
}

std::string ids(const MemoryBlocks& made) {
    std::string all;
    for (const Block& block : made.blocks) {
        all += (all.empty() ? "" : " ") + block.id;
    }
    return all;
}
const Block* find(const MemoryBlocks& made, std::string_view id) {
    const auto found = std::ranges::find(made.blocks, id, &Block::id);
    return found == made.blocks.end() ? nullptr : &*found;
}

// A world of the memory dialect with `big` and `small` memories.
Value world(std::string_view big, std::string_view small, std::string_view config) {
    return parsed(R"({"assa_data":{"summary":{"big":)" + std::string(big) + R"(,"small":)" +
                  std::string(small) + R"(},"config":)" + std::string(config) + "}}");
}

// proves: S2-57, A2-7, S2-58
TEST(Summary, TheNewestAreHeldBack) {
    const std::string_view six = R"({"一":"1","二":"2","三":"3","四":"4","五":"5","六":"6"})";
    const Plan plan;
    EXPECT_EQ(ids(memory_blocks(world(six, "{}", R"({"hide_latest_count":2})"), plan, {})),
              "big:一 big:二 big:三 big:四");
    const auto held = memory_blocks(world(six, "{}", R"({"hide_latest_count":"2"})"), plan, {}).out;
    ASSERT_EQ(held.size(), 2U);
    EXPECT_EQ(held[0].id, "big:五");
    EXPECT_EQ(held[0].why.reason, Reason::kHiddenLatest);
    // Five by default; never all of them, unless what they are about is in the prompt anyway.
    EXPECT_EQ(ids(memory_blocks(world(six, "{}", "{}"), plan, {})), "big:一");
    EXPECT_EQ(ids(memory_blocks(world(R"({"一":"1"})", "{}", "{}"), plan, {})), "big:一");
    EXPECT_EQ(ids(memory_blocks(world(R"({"一":"1"})", "{}", R"({"small_to_big_count":2})"), plan,
                                std::vector<Message>(10, Message{Role::kAssistant, {}}))),
              "");
    // The card's reading: the newest small ones, which the raw rounds cover.
    EXPECT_EQ(ids(memory_blocks(world(six, R"({"a":"1","b":"2"})",
                                      R"({"hide_latest_count":1,"hide_latest_target":"small"})"),
                                plan, {})),
              "big:一 big:二 big:三 big:四 big:五 big:六 small:a");
    EXPECT_EQ(ids(memory_blocks(world(R"({"一":"1","二":"2"})", R"({"a":"1","b":"2"})",
                                      R"({"hide_latest_count":1,"hide_latest_target":"both"})"),
                                plan, {})),
              "big:一 small:a");
}

// proves: S2-52
TEST(Summary, AFlagAsksForADistilledMemory) {
    const std::string_view small = R"({"初遇":"在集市","约定":"日出前见"})";
    Plan plan;
    const auto up = memory_blocks(
        world(
            "{}", small,
            R"({"flags":{"clean_small_flag":true},"hide_latest_count":1,"hide_latest_target":"small"})"),
        plan, {});
    // Entries to be distilled are shown in full.
    EXPECT_EQ(ids(up), "small:初遇 small:约定 distil:clean_small_flag");
    const Block* request = find(up, "distil:clean_small_flag");
    ASSERT_NE(request, nullptr);
    EXPECT_EQ(request->target, Target::kAfterHistory);
    EXPECT_NE(request->text.find("memory('summary.big'"), std::string::npos);
    EXPECT_NE(request->text.find("初遇"), std::string::npos);
    EXPECT_NE(request->text.find("约定"), std::string::npos);
    plan.language = base::Language::kEnglish;
    plan.summary.writes_memory = false;
    const auto plain =
        memory_blocks(world("{}", small, R"({"flags":{"clean_small_flag":[true,"x"]}})"), plan, {});
    EXPECT_EQ(find(plain, "distil:clean_small_flag")->text.find("memory('"), std::string::npos);
    EXPECT_EQ(
        find(memory_blocks(world("{}", small, R"({"flags":{"clean_small_flag":false}})"), plan, {}),
             "distil:clean_small_flag"),
        nullptr);
    const auto big = memory_blocks(
        world(R"({"一":"1","二":"2"})", "{}", R"({"flags":{"clean_big_flag":"true"}})"), plan, {});
    EXPECT_EQ(ids(big), "big:一 big:二 distil:clean_big_flag");
}

// proves: X-10, S1-19
TEST(Summary, PinsAndFactsOfTheMemoryDialect) {
    const Value document = parsed(R"({"assa_data":{"summary":{
        "big":{"誓言":{"text":"不可背弃","_is_protected":true},"旧事":"已过"},
        "small":{"今日":["下雨","天气"]},"facts":{"城":"已陷","_x":1},"pins":["王已死"]},"config":{"hide_latest_count":9}}})");
    const auto made = memory_blocks(document, Plan(), {});
    // A pin is never held back.
    EXPECT_EQ(ids(made), "pin:1 pin:2 small:今日 facts");
    EXPECT_EQ(find(made, "facts")->text, "城: 已陷");
}

// proves: S1-19, X-10: entries, pins and facts of the campaign's own summary, and the request.
TEST(Summary, TheCampaignsOwnSummary) {
    table::SummaryState summary;
    summary.entries = {{"入城", false}, {"师父未死", true}};
    summary.facts = Object{{"灯塔", "熄灭"}};
    summary.uncovered = 9;
    Plan plan;
    MemoryBlocks made{story_blocks(summary, table::SummaryDue::kNone, plan, false), {}};
    EXPECT_EQ(ids(made), "story:1 story:2 story:facts");
    EXPECT_EQ(find(made, "story:2")->kind, Kind::kPins);
    EXPECT_EQ(find(made, "story:facts")->text, "灯塔: 熄灭");
    for (const auto& [due, in_memory, part] :
         {std::tuple(table::SummaryDue::kEntry, false, "<story_summary>"),
          std::tuple(table::SummaryDue::kMerge, false, "归并"),
          std::tuple(table::SummaryDue::kEntry, true, "memory('summary.small'")}) {
        made.blocks = story_blocks(summary, due, plan, in_memory);
        ASSERT_NE(find(made, "story:request"), nullptr);
        EXPECT_NE(find(made, "story:request")->text.find(part), std::string::npos);
    }
}

// proves: S0-68, S0-69
TEST(State, TheInjectionListOfTheSaves) {
    const Value document =
        parsed(R"({"character":{"saveData":{"角色基础信息":{"名字":"李四"},"背包":{"剑":1},
        "玩家角色状态":{"气血":82},"记忆":{"短期记忆":["a"]},"任务":{"寻图":{"阶段":"一"}},
        "世界信息":{"大陆":{"东":{"城":{"人口":1}}}},"时间":{"当前":"日出","时间轴":[1,2,3,4,5,6,7]}}}})");
    const auto made = state_blocks(document, Plan(), Context::kFull);
    EXPECT_EQ(made.blocks.size(), 7U);
    EXPECT_EQ(find(made, "state:character.saveData.背包"), nullptr);
    EXPECT_EQ(find(made, "state:character.saveData.时间.当前")->text,
              "character.saveData.时间.当前: 日出");
    EXPECT_EQ(find(made, "state:character.saveData.时间.时间轴")->text,
              "character.saveData.时间.时间轴:\n  # … 2\n  - 3\n  - 4\n  - 5\n  - 6\n  - 7");
    EXPECT_EQ(find(made, "state:character.saveData.世界信息")->text,
              "character.saveData.世界信息:\n  大陆:\n    东: {… 1}");
    // The list is data.
    const Plan plan = plan_written(R"({"fragments":["character.saveData.背包",
        {"path":"character.saveData.时间.时间轴","last":1,"priority":200,"budget":50},{"path":"nowhere.x"}]})");
    const auto chosen = state_blocks(document, plan, Context::kFull);
    EXPECT_EQ(ids(chosen), "state:character.saveData.背包 state:character.saveData.时间.时间轴");
    EXPECT_EQ(chosen.blocks[1].budget, 50U);
    ASSERT_EQ(chosen.out.size(), 1U);
    EXPECT_EQ(chosen.out[0].why.reason, Reason::kPlaceMissing);
}

// proves: X-11
TEST(State, OtherDialectsAndTheDigest) {
    const Value memory =
        parsed(R"({"play_character_data":{"a":{"b":{"c":1}}},"stat_data":{"x":["甲","乙"]},
        "assa_data":{"world_set":{"npc":{}},"summary":{"big":{}},"config":{}},"campaign":{"secret":1},"_k":1})");
    EXPECT_EQ(ids(state_blocks(memory, Plan(), Context::kFull)),
              "state:play_character_data state:stat_data state:assa_data.world_set");
    EXPECT_EQ(
        find(state_blocks(memory, Plan(), Context::kCompress), "state:play_character_data")->text,
        "play_character_data:\n  a:\n    b: {… 1}");
    EXPECT_EQ(ids(state_blocks(parsed("[1]"), Plan(), Context::kFull)), "");
}

// proves: S2-82
TEST(State, TheLevelOfAWorldHasAMeaning) {
    const auto text_of_level = [](std::string_view level) {
        const Value document = parsed(R"({"stat_data":{"world_shard":{"level":[")" +
                                      std::string(level) + R"(","x"]}}})");
        const auto made = state_blocks(document, Plan(), Context::kFull);
        const Block* block = find(made, "scale:level");
        return block != nullptr ? block->text : "";
    };
    EXPECT_NE(text_of_level("无").find("不超过 3"), std::string::npos);
    EXPECT_NE(text_of_level("低").find("不超过 5"), std::string::npos);
    EXPECT_NE(text_of_level("中").find("不超过 7"), std::string::npos);
    EXPECT_NE(text_of_level("高").find("不超过 12"), std::string::npos);
    EXPECT_NE(text_of_level("神话").find("不超过 16"), std::string::npos);
    EXPECT_EQ(text_of_level("别的"), "");
    EXPECT_NE(text_of_level("低"), text_of_level("高"));
}

// ---- plans

// proves: A1-1
TEST(Plans, TheSettingsChooseTheContext) {
    const auto context = [](std::string_view settings) {
        std::vector<Why> notices;
        const Context chosen = context_of(parsed(settings).as_object(), notices);
        std::string words = std::to_string(static_cast<int>(chosen));
        for (const Why& each : notices) {
            words += " " + std::string(name(each.reason));
        }
        return words;
    };
    EXPECT_EQ(context("{}"), "0");
    EXPECT_EQ(context(R"({"context.full_context_enabled":false,"context.compress_enabled":true})"),
              "1");
    EXPECT_EQ(context(R"({"context.full_context_enabled":true,"context.compress_enabled":true})"),
              "1 both_contexts");
    EXPECT_EQ(context(R"({"context.full_context_enabled":false,"context.compress_enabled":false})"),
              "2");
}

// proves: S1-40
TEST(Plans, ThoseOfTheShippedTypesHaveNoMistakes) {
    for (const table::ShippedDialogs& file : table::shipped_dialog_files()) {
        EXPECT_TRUE(check_plans(Object{{"dialog_types", parsed(file.json)}}).empty());
    }
}

TEST(Plans, EveryMistakeIsNamed) {
    const auto mistakes = check_plans(parsed(
        R"({"dialog_types":{"duel":{"prompt":{"withot":["lore"],"only":["x"],"context_tokens":-1,
        "budgets":{"lore":"200%","nonsense":5},"volatile":"later","state":{"format":"xml","dept":3},
        "fragments":[{"last":3},5,"a..b",{"path":"a","priority":99999}],"sacrifice":["pins"],"language":"fr",
        "extends":"scene"}},"talk":{"prompt":{"without":["nonsense"]}},"c":7}})"));
    EXPECT_EQ(mistakes.size(), 16U);
    EXPECT_TRUE(std::ranges::any_of(mistakes, [](const value::Diagnostic& each) {
        return each.error.code == base::ErrorCode::kMisspelledKey;
    }));
    for (const value::Diagnostic& each : mistakes) {
        EXPECT_EQ(each.path[0], value::Segment("dialog_types"));
        EXPECT_FALSE(base::explain(each.error, base::Language::kChinese).empty());
    }
    EXPECT_TRUE(check_plans(parsed("[]")).empty());
    const Plan plan = plan_written(
        R"({"only":["rules","state"],"context_tokens":8000,"reply_tokens":1000,
        "budgets":{"lore":"10%","state":900},"sacrifice":["lore","history"],"volatile":"as_written",
        "state":{"format":"json","descriptions":"never","hidden":"filtered","depth":3}})");
    EXPECT_EQ(plan.room(), 7000U);
    EXPECT_EQ(plan.budget_of(Kind::kLore), 700U);
    EXPECT_EQ(plan.budget_of(Kind::kState), 900U);
    EXPECT_TRUE(plan.contains(Kind::kPins));  // they always are
    EXPECT_FALSE(plan.contains(Kind::kProtocol));
    EXPECT_EQ(plan.ranks[static_cast<std::size_t>(Kind::kState)], 0);
}

TEST(Blocks, WordsAndOrder) {
    EXPECT_EQ(find_target("system_instruction"), Target::kSystemEnd);
    EXPECT_EQ(find_target("post_history"), Target::kAfterHistory);
    EXPECT_EQ(find_target("before_char"), Target::kBeforeCharacter);
    EXPECT_FALSE(find_target("elsewhere"));
    for (std::size_t i = 0; i < static_cast<std::size_t>(Target::kCount); ++i) {
        EXPECT_EQ(find_target(name(static_cast<Target>(i))), static_cast<Target>(i));
    }
    for (std::size_t i = 0; i < kKinds; ++i) {
        EXPECT_EQ(find_kind(name(static_cast<Kind>(i))), static_cast<Kind>(i));
    }
    std::vector<std::string> all = {"b", "a10", "a9", "a", "a09", "", "a9b", "A", "a1", "汉"};
    std::ranges::sort(all, is_before);
    EXPECT_EQ(all,
              (std::vector<std::string>{"", "A", "a", "a1", "a09", "a9", "a9b", "a10", "b", "汉"}));
    for (std::size_t i = 0; i < static_cast<std::size_t>(Reason::kCount); ++i) {
        const Why why{static_cast<Reason>(i), {}};
        EXPECT_FALSE(explain(why, base::Language::kEnglish).empty());
        EXPECT_FALSE(explain(why, base::Language::kChinese).empty());
    }
}

TEST(State, AStateThatIsTooLargeIsShownInPart) {
    std::string text = R"({"角色":{"气血":82},"世界":{)";
    for (int i = 0; i < 2000; ++i) {
        text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + R"(":{"城":"某地","人口":1})";
    }
    const Value document = parsed(text + "}}");
    const auto whole = state_blocks(document, Plan(), Context::kFull);
    const auto made = state_blocks(document, Plan(), Context::kFull, 1000);
    EXPECT_EQ(find(made, "state:角色")->text, find(whole, "state:角色")->text);
    EXPECT_EQ(find(made, "state:角色")->why.reason, Reason::kStateOf);
    const Block* world = find(made, "state:世界");
    EXPECT_EQ(world->why.reason, Reason::kStatePart);
    EXPECT_TRUE(world->text.ends_with("\n  \"1999\":\n    城: 某地\n    人口: 1")) << world->text;
    const std::size_t tokens =
        text::estimate_tokens(world->text) + text::estimate_tokens(find(made, "state:角色")->text);
    EXPECT_LE(tokens, 1000U);
    EXPECT_GT(tokens, 500U);
}

TEST(Share, WhatSomeDoNotNeedIsForTheOthers) {
    EXPECT_EQ(fair_share({1, 2, 3}, 6), kUnlimited);
    EXPECT_EQ(fair_share({100, 2, 100}, 62), 30U);
    EXPECT_EQ(fair_share({5, 5}, 0), 0U);
    EXPECT_EQ(fair_share({}, 3), kUnlimited);
    std::vector<std::size_t> shares(3);
    share_out(std::vector<std::size_t>{100, 2, 50}, 90, [&](std::size_t i, std::size_t share) {
        shares[i] = share;
        return i == 1 ? 2 : share;
    });
    EXPECT_EQ(shares, (std::vector<std::size_t>{44, 30, 44}));
}

// One place that cannot be made small takes nothing from the others.
TEST(State, AnOddPlaceDoesNotStarveTheOthers) {
    std::string text = R"({"甲":[1,")" + std::string(3000, 'x') + R"("],"世界":{)";
    for (int i = 0; i < 2000; ++i) {
        text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + R"(":{"城":"某地","人口":1})";
    }
    const Value document = parsed(text + "}}");
    Plan plan;
    plan.fragments = {{{"甲"}, 0, 0, 20, 100}, {{"世界"}, 0, 0, 0, 100}};
    const auto made = state_blocks(document, plan, Context::kFull, 4000);
    EXPECT_EQ(find(made, "state:甲")->text, "甲: 1");
    EXPECT_GT(find(made, "state:世界")->tokens, 3000U);
    EXPECT_LE(find(made, "state:世界")->tokens, 3980U);
}

}  // namespace
}  // namespace arbiter::prompt
