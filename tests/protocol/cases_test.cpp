// Goal: both cases of the specification from the wish to the verdict, with the library that comes
// with Arbiter; and no example of any protocol is ever taken for a command.
#include <gtest/gtest.h>

#include <algorithm>

#include "config/embedded.h"
#include "protocol/activation.h"
#include "protocol/claims.h"
#include "protocol/describe.h"
#include "tests/protocol/support.h"
#include "tests/support/judging.h"
#include "tests/support/random.h"
#include "value/json.h"

namespace arbiter::protocol {
namespace {

using tests::order;
using tests::resolved;
using tests::shipped;
using value::Value;

// A story that is played under some protocols, with no dialect of its own.
class Table {
  public:
    Table(const std::vector<std::string>& ids, std::string_view document,
          const ResolveOptions& options = {})
        : now(resolved(shipped(), ids, options)),
          state{value::parse_json(document).value(), {}},
          rules_(tests::rules_of({}, now.constraints)) {}

    // A verdict a line: "applied 阿澄.好感度: 10 → 15 ! clamped".
    std::string reply(std::string_view text) {
        reader::Options options;
        options.dialects = now.dialects;
        options.hints = now.hints;
        reading = reader::read(text, options);
        const auto played = tests::judge(state, reading.proposals, reading.text, rules_);
        state = played.outcome.state;
        std::string out;
        for (const engine::Verdict& verdict : played.outcome.verdicts) {
            const auto shown = [](const std::optional<Value>& value) {
                return value ? value::print_json(*value) : "-";
            };
            out += (out.empty() ? "" : "\n") + std::string(proposal::name(verdict.status)) + " " +
                   value::print_path(verdict.path, value::PathSyntax::kDotted) + ": " +
                   shown(verdict.before) + " → " + shown(verdict.after);
            out += verdict.warnings.has(proposal::Warning::kClamped) ? " ! clamped" : "";
            out +=
                verdict.problem ? " X " + std::string(proposal::name(verdict.problem->code)) : "";
        }
        return out;
    }
    std::string update(std::string_view list) {
        return reply("嗯。\n<variable_update>\n<analysis>\n- 因为\n</analysis>\n" +
                     std::string(list) + "\n</variable_update>");
    }

    Resolved now;
    engine::State state;
    reader::Reading reading;

  private:
    turn::Rules rules_;
};

// proves: S4-2, S4-3, S4-4, S4-7, S4-39, S4-40, S4-49, S4-29, S4-31, A4-6
TEST(Cases, LoveSystemBringsItsBaseAndIsEnforced) {
    Table table({"love_system_simple"}, R"({"阿澄":{"好感度":10,"心情":1},"日期":"03月05日"})");
    EXPECT_EQ(order(table.now), "variable_update_base love_system_simple");
    EXPECT_TRUE(table.now.warnings.empty());
    // Both are taught, the base first.
    ASSERT_EQ(table.now.instructions.size(), 2U);
    EXPECT_TRUE(table.now.instructions[0].text.contains("[OPCODE, path, value]"));
    EXPECT_TRUE(table.now.instructions[1].text.contains("1 to 5"));
    const Resolved chinese =
        resolved(shipped(), {"love_system_simple"}, {.language = base::Language::kChinese});
    EXPECT_TRUE(chinese.instructions[1].text.contains("1～5"));
    EXPECT_TRUE(chinese.instructions[1].text.contains("[ADD, 人名.好感度, 数值]"));
    // Commands in the taught form are read and judged.
    EXPECT_EQ(table.update("[[ADD, 阿澄.好感度, 3]]"), "applied 阿澄.好感度: 10 → 13");
    EXPECT_EQ(table.reading.text, "嗯。");
    EXPECT_TRUE(table.reading.thinking.contains("因为"));
    EXPECT_EQ(table.update("[[ADD, 阿澄.好感度, 9]]"), "applied 阿澄.好感度: 13 → 18 ! clamped");
    EXPECT_EQ(table.update("[[ADD, 阿澄.好感度, 0.5]]"), "applied 阿澄.好感度: 18 → 19 ! clamped");
    // Paths without a rule are unrestricted.
    EXPECT_EQ(table.update("[[ADD, 阿澄.心情, 9], [SET, 阿澄.称呼, 小澄]]"),
              "applied 阿澄.心情: 1 → 10\napplied 阿澄.称呼: - → \"小澄\"");
}

// proves: S4-49
TEST(Cases, SoMuchADayAtMost) {
    Table table({"love_system_simple"}, R"({"阿澄":{"好感度":0},"日期":"03月05日"})");
    EXPECT_EQ(table.update("[[ADD, 阿澄.好感度, 4]]"), "applied 阿澄.好感度: 0 → 4");
    EXPECT_EQ(table.update("[[ADD, 阿澄.好感度, 4]]"), "applied 阿澄.好感度: 4 → 8");
    EXPECT_EQ(table.update("[[ADD, 阿澄.好感度, 4]]"), "applied 阿澄.好感度: 8 → 10 ! clamped");
    EXPECT_EQ(table.update("[[ADD, 阿澄.好感度, 1]]"), "applied 阿澄.好感度: 10 → 10 ! clamped");
    // Falling is free within its own steps.
    EXPECT_EQ(table.update("[[ADD, 阿澄.好感度, -3]]"), "applied 阿澄.好感度: 10 → 7");
    // Another day.
    table.update("[[SET, 日期, 03月06日]]");
    EXPECT_EQ(table.update("[[ADD, 阿澄.好感度, 5]]"), "applied 阿澄.好感度: 7 → 12");
    // A world without a date has no days: no turn gives more than a day may.
    Table dateless({"love_system_simple"}, R"({"阿澄":{"好感度":0}})");
    EXPECT_EQ(
        dateless.update("[[ADD, 阿澄.好感度, 5],[ADD, 阿澄.好感度, 5],[ADD, 阿澄.好感度, 5]]"),
        "applied 阿澄.好感度: 0 → 5\napplied 阿澄.好感度: 5 → 10\n"
        "applied 阿澄.好感度: 10 → 10 ! clamped");
    EXPECT_EQ(dateless.update("[[ADD, 阿澄.好感度, 5]]"), "applied 阿澄.好感度: 10 → 15");
    // The host may know better where the date stands.
    rules::Clock clock;
    clock.date = {"世界", "今天"};
    Table elsewhere({"love_system_simple"}, R"({"阿澄":{"好感度":0},"世界":{"今天":"第1天"}})",
                    {.clock = clock});
    elsewhere.update("[[ADD, 阿澄.好感度, 5],[ADD, 阿澄.好感度, 5]]");
    EXPECT_EQ(elsewhere.update("[[ADD, 阿澄.好感度, 5]]"),
              "applied 阿澄.好感度: 10 → 10 ! clamped");
    elsewhere.update("[[SET, 世界.今天, 第2天]]");
    EXPECT_EQ(elsewhere.update("[[ADD, 阿澄.好感度, 5]]"), "applied 阿澄.好感度: 10 → 15");
}

// proves: S4-40, S4-49
TEST(Cases, ConstraintsMayRefuse) {
    const Library library =
        tests::library_of({tests::simple("gold", "",
                                         "constraints:\n"
                                         "  - {place: 金币, change: [1, 100], otherwise: refuse}\n"
                                         "  - {place: 金币, min: 0}\n"
                                         "  - {place: $who.气血, fall: 20, rise: [0, 5]}\n")});
    const Resolved now = resolved(library, {"gold"});
    ASSERT_EQ(now.constraints.size(), 1U);
    const turn::Rules rules = tests::rules_of({}, now.constraints);
    const auto after = [&](const char* command) {
        const engine::State state{
            value::parse_json(R"({"金币":[50,"钱"],"甲":{"气血":"30"}})").value(), {}};
        const auto reading = reader::read(command);
        const auto played = tests::judge(state, reading.proposals, "", rules);
        const auto& verdict = played.outcome.verdicts[0];
        return (verdict.problem ? std::string(proposal::name(verdict.problem->code)) + " " : "") +
               value::print_json(played.outcome.state.document);
    };
    EXPECT_EQ(after("_.add('金币', 100);"), R"({"金币":[150,"钱"],"甲":{"气血":"30"}})");
    EXPECT_TRUE(after("_.add('金币', 101);").starts_with("constraint "));
    EXPECT_TRUE(after("_.add('金币', 101);").contains("[50,"));
    EXPECT_TRUE(after("_.set('金币', 500);").starts_with("constraint "));
    EXPECT_EQ(after("_.add('金币', -60);"), R"({"金币":[0,"钱"],"甲":{"气血":"30"}})");
    EXPECT_TRUE(after("_.set('甲.气血', 1);").contains(R"("气血":10)"));
    EXPECT_TRUE(after("_.set('甲.气血', 90);").contains(R"("气血":35)"));
}

// proves: S4-49
TEST(Cases, BlowsCostHp) {
    Table table({"rpg_combat"}, R"({"狼":{"HP":6}})");
    EXPECT_EQ(order(table.now), "variable_update_base rpg_combat");
    EXPECT_EQ(table.update("[[SUB, 狼.HP, 4]]"), "applied 狼.HP: 6 → 2");
    EXPECT_EQ(table.update("[[SUB, 狼.HP, 4]]"), "applied 狼.HP: 2 → 0 ! clamped");
}

// proves: S4-41, S4-42, S4-31, S4-45, S4-46, A4-10
TEST(Cases, LiveStreamIsAComponent) {
    // The player says the word, and the mode is in the prompt.
    const ActivationResult result =
        update_activation({}, Speaker::kPlayer, "进入直播模式！", 1, shipped());
    const Resolved now = shipped().resolve(active_requests(result.meta));
    ASSERT_EQ(order(now), "live_stream_mode");
    EXPECT_EQ(now.active[0].protocol->type, Type::kMode);
    for (const char* words : {"<live>", "<basic_info>", "<barrage>", "no other tag"}) {
        EXPECT_TRUE(now.instructions[0].text.contains(words)) << words;
    }
    ASSERT_EQ(now.components.size(), 1U);
    EXPECT_EQ(now.components[0].component, "live_stream");
    const char* reply =
        "<live>\n<basic_info>夜谈 | 12</basic_info>\n<barrage>\n路人: _.set('金币', 999);\n"
        "<variable_update>[[SET, 金币, 999]]</variable_update>\n"
        "[{\"op\":\"assign\",\"path\":[\"金币\"],\"value\":999}]\n</barrage>\n</live>\n";
    reader::Options options;  // every dialect is read
    options.hints = now.hints;
    const reader::Reading reading = reader::read(reply, options);
    EXPECT_TRUE(reading.proposals.empty());
    EXPECT_TRUE(reading.lost.empty());
    EXPECT_EQ(reading.text, "");
    ASSERT_EQ(reading.components.size(), 1U);
    EXPECT_EQ(reading.components[0].tag, "live");
    ASSERT_EQ(reading.components[0].children.size(), 2U);
    EXPECT_EQ(value::print_json(reading.components[0].children[0]),
              R"({"tag":"basic_info","content":"夜谈 | 12"})");
    // Without the mode the tag is ordinary text.
    EXPECT_TRUE(reader::read("<live>hello</live>").text.contains("<live>hello</live>"));
    EXPECT_TRUE(reader::read("<live>hello</live>").components.empty());
}

// proves: S4-43, S4-44
TEST(Cases, TheOlderTagIsExecuted) {
    Table table({"variable_update_v1"}, R"({"favorability":10})");
    EXPECT_EQ(table.reply(table.now.active[0].protocol->examples[0].output.chinese),
              "applied favorability: 10 → 15");
    EXPECT_EQ(table.reading.text, "她把贝壳翻过来看了又看。“是从远处的海滩捡来的吗？谢谢你。”");
    EXPECT_TRUE(table.reading.thinking.contains("用心的礼物"));
}

// proves: S4-50, S4-48, S4-8, A4-13
TEST(Cases, EveryFileOfTheSpecificationIsThere) {
    std::vector<std::string> files;
    for (const config::EmbeddedFile& each : config::built_in_protocols()) {
        files.emplace_back(each.name);
    }
    for (const char* file : {"core/filament_v2", "core/chain_of_thought", "core/variable_update",
                             "extensions/variable_update", "extensions/rpg_combat",
                             "modes/live_stream", "modes/text_adventure", "rules/love_system"}) {
        EXPECT_NE(std::ranges::find(files, file), files.end()) << file;
    }
    EXPECT_TRUE(config::Protocols().diagnostics().empty());
    EXPECT_TRUE(shipped().check().empty());
    EXPECT_TRUE(shipped().duplicates().empty());
    EXPECT_EQ(shipped().rows().size(), files.size());
    for (const Library::Row& row : shipped().rows()) {
        const Protocol& protocol = *row.protocol;
        EXPECT_TRUE(protocol.remarks.empty()) << protocol.id;
        EXPECT_NE(protocol.name.english, protocol.name.chinese) << protocol.id;
        EXPECT_NE(protocol.description.english, protocol.description.chinese) << protocol.id;
        EXPECT_NE(protocol.instruction.english, protocol.instruction.chinese) << protocol.id;
        for (const Example& example : protocol.examples) {
            EXPECT_NE(example.output.english, example.output.chinese) << protocol.id;
        }
        // Alone it holds, and with all others nothing is lost but by name.
        EXPECT_TRUE(resolved(shipped(), {protocol.id}).warnings.empty()) << protocol.id;
    }
}

// The commands of each example produce the changes that it shows, and its narrative is displayed.
TEST(Cases, ExamplesOfOurOwnDoWhatTheyShow) {
    for (const Library::Row& row : shipped().rows()) {
        for (const Example& example : row.protocol->examples) {
            for (const auto language : {base::Language::kEnglish, base::Language::kChinese}) {
                Table table({row.protocol->id}, "{}");
                table.reply(example.output.in(language));
                EXPECT_TRUE(table.reading.lost.empty()) << row.protocol->id;
                EXPECT_FALSE(table.reading.text.contains("</")) << table.reading.text;
            }
        }
    }
}

// ---- examples in a prompt

// Nothing is taken out of the block, whatever the example holds and whatever is active.
void expect_harmless(const std::string& block, const std::vector<reader::TagHint>& hints) {
    reader::Options options;
    options.hints = hints;
    const reader::Reading reading = reader::read(block, options);
    EXPECT_TRUE(reading.proposals.empty()) << block;
    EXPECT_TRUE(reading.lost.empty()) << block;
    EXPECT_TRUE(reading.components.empty()) << block;
    EXPECT_EQ(reading.thinking, "") << block;
    for (const proposal::Notice& notice : reading.notices) {
        EXPECT_NE(notice.kind, proposal::Notice::Kind::kUseProtocol) << block;
        EXPECT_NE(notice.kind, proposal::Notice::Kind::kEndProtocol) << block;
        EXPECT_NE(notice.kind, proposal::Notice::Kind::kInspect) << block;
    }
    const ActivationResult result = update_activation({}, Speaker::kModel, block, 1, shipped(),
                                                      {.model_tags = true, .model_keywords = true});
    EXPECT_TRUE(result.changes.empty()) << block;
}

// proves: S4-15, S4-30, A4-12
TEST(Examples, AreTextAndNothingElse) {
    const Resolved all = [] {
        std::vector<std::string> ids;
        for (const Library::Row& row : shipped().rows()) {
            ids.push_back(row.protocol->id);
        }
        return resolved(shipped(), ids);
    }();
    EXPECT_FALSE(all.examples.empty());
    std::string together;
    for (const Injection& each : all.examples) {
        EXPECT_EQ(each.target, Target::kBeforeHistory);
        EXPECT_TRUE(each.text.contains("> User: "));
        EXPECT_TRUE(each.text.contains("> Assistant: "));
        expect_harmless(each.text, all.hints);
        together += each.text + "\n";
    }
    expect_harmless(together, all.hints);
    const Protocol odd = tests::protocol_of(
        "meta: {id: a}\ninstruction: x\nexamples:\n"
        "  - {input: \"a\\r\\nUser: b\\rAssistant: c\", output: "
        "\"\\n\\n```json\\n[{}]\\n```\\n\"}\n");
    EXPECT_EQ(few_shot(odd, base::Language::kChinese),
              "a 的示例（以 > 引用，书写时不带 >）：\n> User: a\n>  User: b\n>  Assistant: c\n"
              "> Assistant: \n>\n> ```json\n> [{}]\n> ```\n");
}

// proves: A4-12
TEST(Examples, NoTextBreaksOut) {
    const std::vector<std::string> pieces = {
        "<UpdateVariable>",
        "</UpdateVariable>",
        "_.set('a', 1);",
        "\n",
        "\r",
        "\r\n",
        "```json",
        "```",
        "<variable_update>[[SET, a, 1]]</variable_update>",
        "“",
        "”",
        "「",
        "\"",
        "`",
        "> ",
        "<think>",
        "</think>",
        "<live>",
        "</live>",
        "<use_protocol id=\"x\"/>",
        "<!--",
        "-->",
        "[{\"op\":\"assign\",\"path\":[\"a\"],\"value\":1}]",
        "{\"tavern_commands\":[{\"action\":"
        "\"set\",\"key\":\"character.saveData.a\",\"value\":1}]}",
        "memory('a', 'b', 1);",
        "set_status('a', 1);",
        "<updateMemory>",
        "<JSONPatch>[{\"op\":\"add\",\"path\":\"/a\","
        "\"value\":1}]</JSONPatch>",
        "\n\n",
        "User:",
        "\t",
        "\x0b",
        "\u2028",
        "{",
        "}",
        "进入直播模式",
        "<tool_call>{\"tool\":\"x\",\"args\":{}}</tool_call>",
        "*.memory('a','b',2);",
        "//",
        "\\"};
    const std::vector<reader::TagHint> hints = {{"live", reader::TagMeaning::kComponent},
                                                {"run", reader::TagMeaning::kExecute}};
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        tests::Random random(seed);
        const auto text = [&] {
            std::string out;
            for (std::size_t i = random.below(10); i > 0; --i) {
                out += random.pick(pieces);
            }
            return "x" + out;
        };
        Protocol odd = tests::protocol_of("meta: {id: a}\ninstruction: x\n");
        odd.examples.push_back({"", {text(), ""}, {text(), ""}});
        odd.examples.push_back({"", {text(), ""}, {text(), ""}});
        expect_harmless(few_shot(odd, base::Language::kEnglish), hints);
        if (HasFailure()) {
            FAIL() << "seed " << seed;
        }
    }
}

// ---- claims

TEST(Claims, AreHiddenAndNotExecuted) {
    Table table({"claims"}, R"({"玩家":{"金币":9}})");
    EXPECT_EQ(table.reply("七枚。\n<claims>\n{\"path\": \"玩家.金币\", \"value\": 7},\n"
                          "{\"path\": [\"a.b\"], \"value\": null}\nnonsense\n{\"path\": \"a\"}\n"
                          "</claims>"),
              "");
    EXPECT_EQ(table.reading.text, "七枚。");
    EXPECT_EQ(value::print_json(table.state.document), R"({"玩家":{"金币":9}})");
    const Claims claims = claims_of(table.reading.components);
    ASSERT_EQ(claims.list.size(), 2U);
    EXPECT_EQ(value::print_path(claims.list[0].path, value::PathSyntax::kDotted), "玩家.金币");
    EXPECT_EQ(claims.list[0].value, Value(7));
    EXPECT_EQ(claims.list[1].path, (value::Path{"a.b"}));
    ASSERT_EQ(claims.errors.size(), 2U);
    EXPECT_EQ(claims.errors[1].place->line, 5U);
    EXPECT_EQ(table.now.components[0].component, "hidden");
}

}  // namespace
}  // namespace arbiter::protocol
