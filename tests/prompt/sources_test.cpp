// Goal: the model sees the parts of a campaign that it should, at their positions and within their
// shares of the window. Method: small documents, whole prompts compared.
#include "prompt/sources.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "value/json.h"

namespace arbiter::prompt {
namespace {

using value::Object;
using value::Value;

constexpr std::string_view kDocument = R"({"hp":3,"campaign":{
    "world":{"name":"雾港"},"rules":{},"areas":{"gate":{"name":"城门"}},
    "characters":{"hero":{"name":"阿青"}},"selected":{"active_actor_id":"hero"},
    "goal":{"ultimate_goal_text":"找到灯塔","is_hidden":true},
    "settings":{"revision":1,"values":{}}}})";

struct Source {
    Value document = value::parse_json(kDocument).value();
    Object settings;
    protocol::Resolved protocols;
    card::Card card;
    std::vector<Message> history = {{Role::kAssistant, "你醒了。"}, {Role::kUser, "看看"}};

    Source() {
        protocol::Injection lesson;
        lesson.id = "p";
        lesson.version = "1.0.0";
        lesson.text = "{{user}}的命令写成一行。";
        protocols.instructions.push_back(lesson);
        lesson.target = Target::kDepth;
        lesson.id = "near";
        lesson.text = "保持简短。";
        protocols.instructions.push_back(lesson);
        lesson.text = "> 例";
        protocols.examples.push_back(lesson);
        card.name = "梅";
        card.system_prompt = "你是{{char}}。";
        card.description = "守塔人。";
        card.post_history_instructions = "只写正文。";
    }
    [[nodiscard]] Assembly build(std::size_t context_tokens = kContextTokens) const {
        PromptInputs inputs{document, settings, protocols};
        inputs.tools = "roll(dice)";
        inputs.card = &card;
        inputs.history = history;
        inputs.context_tokens = context_tokens;
        return build_prompt(inputs);
    }
};

std::string lines_of(const Assembly& assembly) {
    std::string lines;
    for (const Message& message : assembly.messages) {
        lines +=
            "<" + std::string(name(message.role)) + ">\n" + std::string(message.content) + "\n";
    }
    return lines;
}

TEST(Sources, EveryPartAtItsPosition) {
    const Source source;
    EXPECT_EQ(lines_of(source.build()), R"(<system>
你是梅。

守塔人。

阿青的命令写成一行。

找到灯塔

roll(dice)
<system>
> 例
<system>
[当前状态]
areas:
gate:
  name: 城门
world:
name: 雾港
<assistant>
你醒了。
<system>
保持简短。

[当前状态]
characters:
hero:
  name: 阿青
hp: 3
<user>
看看
<system>
只写正文。
)");
}

TEST(Sources, ADocumentWithoutACampaignHasOnlyItsOwnRoots) {
    Source source;
    source.document = Object{{"hp", 3}};
    source.protocols = {};
    EXPECT_EQ(lines_of(source.build()), R"(<system>
你是梅。

守塔人。
<assistant>
你醒了。
<system>
[当前状态]
hp: 3
<user>
看看
<system>
只写正文。
)");
}

// The stable and the changing parts have shares of their own: more characters leave the text of
// the world as it was.
TEST(Sources, SharesDoNotDependOnEachOther) {
    Source source;
    Object areas;
    Object characters;
    for (int i = 0; i < 300; ++i) {
        const std::string id = "x" + std::to_string(i);
        areas = std::move(areas).set(std::string_view(id), Object{{"name", std::string_view(id)}});
        characters =
            std::move(characters).set(std::string_view(id), Object{{"name", std::string_view(id)}});
    }
    const auto with = [&](const Object& people) {
        source.document = Object{{"campaign", Object{{"areas", areas}, {"characters", people}}}};
        return source.build(4096);
    };
    const Assembly few = with({});
    const Assembly many = with(characters);
    const auto text_at = [](const Assembly& assembly, std::string_view id) {
        const auto found = std::ranges::find(assembly.blocks, id,
                                             [](const Placed& placed) { return placed.block.id; });
        return found == assembly.blocks.end() ? std::string()
                                              : std::string(text_of(assembly, *found));
    };
    EXPECT_EQ(text_at(few, "table.areas"), text_at(many, "table.areas"));
    constexpr std::size_t kShare = 4096 / 8 * 2;
    EXPECT_GT(text_at(many, "table.characters").size(), kShare / 2);
    EXPECT_LT(text_at(many, "table.characters").size(), kShare + 100);
}

TEST(Sources, ATurnAppendsTwoMessages) {
    std::vector<Message> history;
    append_turn(history, engine::Actor::kModel, "看看", "一扇门。");
    append_turn(history, engine::Actor::kPlayer, "", "我推门");
    ASSERT_EQ(history.size(), 3U);
    EXPECT_EQ(history[0].role, Role::kUser);
    EXPECT_EQ(history[1].role, Role::kAssistant);
    EXPECT_EQ(history[2].role, Role::kUser);
    EXPECT_GT(history[1].tokens, 0U);
}

}  // namespace
}  // namespace arbiter::prompt
