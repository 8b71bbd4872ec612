// Goal: a converted command does what the command does, in every dialect, or is an error that names
// what is missing.
// Method: commands of one dialect, converted with the document that they are for; the written text
// is read and applied, and leads to the same document. Then single conversions, to the letter.
#include "cli/convert.h"

#include <gtest/gtest.h>

#include <fstream>

#include "reader/reader.h"
#include "tests/support/cli.h"
#include "value/json.h"

namespace arbiter::cli {
namespace {

using proposal::Proposal;
using tests::Ran;
using tests::ran;
using value::Value;
using writer::Form;

Value json(std::string_view text) {
    auto value = value::parse_json(text);
    EXPECT_TRUE(value) << text;
    return value ? *value : Value();
}

Value after(const Value& document, std::string_view reply) {
    const reader::Reading reading = reader::read(reply);
    engine::Policy policy;
    return engine::apply({document, {}}, reading.proposals, policy, {}).state.document;
}

constexpr std::string_view kSave = R"({"character":{"saveData":{
    "hp":20,"名":"甲","列表":["a","b",3],"包":{"剑":{"数":1,"细节":{"旧":1}},"盾":2},"空":{}}}})";

// Commands of every dialect for the save, at P.
constexpr std::string_view kReplies[] = {
    "_.set('P.hp', 20, 12);//受伤",
    "_.add('P.hp', -5);",
    "_.insert('P.列表', 'c');",
    "_.insert('P.列表', 0, 'c');",
    "_.insert('P.列表', {\"x\":1});",
    "_.insert('P.包', '弓', 1);",
    "_.insert('P.包', {\"弓\":{\"数\":1}});",
    "_.assign('P.包', '盾', 7);",
    "_.assign('P.包', {\"剑\":{\"细节\":{\"新\":2}}});",
    "_.remove('P.列表', 'a');",
    "_.remove('P.列表', 0);",
    "_.remove('P.包', '盾');",
    "_.remove('P.包.剑');",
    "_.unset('P.名');",
    "_.delete('P.列表[1]');",
    "_.move('P.包.盾', 'P.空.盾');",
    "_.merge('P.包', undefined, {\"剑\":{\"细节\":{\"新\":2}}});",
    "_.push('P.列表', {\"y\":[1]});",
    R"([{"action":"patch","key":"P.包.剑","value":{"细节":{"新":"值"}}}])",
    R"([{"action":"update","key":"P.包","value":{"盾":9,"弓":{"数":2}}}])",
    R"([{"action":"add","key":"P.hp","value":3}])",
    R"([{"action":"add","key":"P.包","value":{"id":"弓","数":1},"options":{"uniqueBy":"id"}}])",
    R"([{"action":"ensure","key":"P.新.层","value":0}])",
    R"([{"action":"ensure","key":"P.hp","value":0}])",
    R"([{"action":"push","key":"P.列表","value":"a","options":{"dedupe":true}}])",
    R"([{"action":"push","key":"P.列表","value":"z","options":{"position":"head","limit":3}}])",
    R"([{"action":"pull","key":"P.列表","options":{"where":{"包含":"a"}}}])",
    R"([{"action":"set","key":"P.hp","value":1,"options":{"ifEquals":20}}])",
    R"([{"action":"set","key":"P.hp","value":1,"options":{"ifEquals":21}}])",
    R"([{"action":"delete","key":"P.不存在"}])",
    "<variable_update>[[SUB, P.hp, 5],[MUL, P.hp, 3],[DIV, P.hp, 2]]</variable_update>",
    "<variable_update>[[INSERT, P.包, 弓, 1],[REM, P.列表, b],[POP, P.列表]]</variable_update>",
    "<variable_update>[[SPLICE, P.列表, 0, 2, x],[DELETE, P.空]]</variable_update>",
    R"(<JSONPatch>[{"op":"add","path":"/character/saveData/列表/-","value":1},)"
    R"({"op":"copy","from":"/character/saveData/hp","path":"/character/saveData/旧hp"},)"
    R"({"op":"test","path":"/character/saveData/名","value":"甲"}]</JSONPatch>)",
    R"({"op":"splice","path":["character","saveData","列表"],"value":{"start":1,"items":["q"]}})",
    R"([{"op":"assign","path":["character","saveData","新"],"value":{"a":1},"old":null},)"
    R"({"op":"pop","path":["character","saveData","列表"]}])",
};

std::string placed(std::string_view reply) {
    std::string text(reply);
    for (std::size_t at = text.find("P."); at != std::string::npos; at = text.find("P.")) {
        text.replace(at, 1, "character.saveData");
    }
    return text;
}

// proves: S3-52, D-26
TEST(Convert, WithTheDocumentEveryCommandDoesTheSameInEveryDialect) {
    const Value document = json(kSave);
    for (const std::string_view reply : kReplies) {
        const std::string text = placed(reply);
        const reader::Reading reading = reader::read(text);
        ASSERT_FALSE(reading.proposals.empty()) << text;
        const Value expected = after(document, text);
        for (const Form form : {Form::kTavern, Form::kJson, Form::kMvu, Form::kPatch,
                                Form::kFilament2, Form::kFilament3}) {
            const Conversion made =
                convert(reading.proposals, form, {document, {}}, engine::Policy(), {});
            for (const Conversion::Failure& failure : made.failures) {
                ADD_FAILURE() << writer::name(form) << ": " << text << '\n'
                              << base::explain(failure.error, base::Language::kEnglish);
            }
            const auto written = writer::write(made.commands, form);
            ASSERT_TRUE(written) << text;
            EXPECT_EQ(after(document, *written), expected)
                << writer::name(form) << ": " << text << '\n'
                << *written;
        }
    }
}

// A command that the dialect has is not replaced by its result.
TEST(Convert, KeepsWhatTheDialectHas) {
    const Value document = json(kSave);
    const auto text = [&](std::string_view reply, Form form) {
        const reader::Reading reading = reader::read(placed(reply));
        const Conversion made =
            convert(reading.proposals, form, {document, {}}, engine::Policy(), {});
        return made.commands.size() == 1 ? *writer::write_one(made.commands[0], form) : "?";
    };
    EXPECT_EQ(text("_.add('P.hp', -5);//受伤", Form::kTavern),
              R"({"action":"add","key":"character.saveData.hp","value":-5,)"
              R"("options":{"reason":"受伤"}})");
    EXPECT_EQ(text("_.add('P.hp', -5);//受伤", Form::kJson),
              R"({"op":"assign","path":["character","saveData","hp"],"value":15,"reason":"受伤"})");
    EXPECT_EQ(text("_.insert('P.列表', 0, 'c');", Form::kJson),
              R"({"op":"assign","path":["character","saveData","列表"],"value":["c","a","b",3]})");
    // Only what changes is written.
    EXPECT_EQ(text("_.remove('P.包', '盾');", Form::kJson),
              R"({"op":"delete","path":["character","saveData","包","盾"]})");
    EXPECT_EQ(text("_.push('P.列表', 'c');", Form::kJson),
              R"({"op":"push","path":["character","saveData","列表"],"value":"c"})");
}

// MVU's paths begin below stat_data where the document has it.
TEST(Convert, TheDocumentSaysWhereMvuPathsBegin) {
    const Value document = json(R"({"stat_data":{"hp":5}})");
    const reader::Reading reading = reader::read("_.set('hp', 5, 6);_.add('hp', 1);");
    const Conversion made =
        convert(reading.proposals, Form::kJson, {document, {}}, engine::Policy(), {});
    ASSERT_EQ(made.commands.size(), 2U);
    EXPECT_EQ(*writer::write(made.commands, Form::kJson),
              "```json\n[\n"
              R"({"op":"assign","path":["stat_data","hp"],"value":6,"old":5},)"
              "\n"
              R"({"op":"assign","path":["stat_data","hp"],"value":7})"
              "\n]\n```");
}

TEST(Convert, WhatIsNotConvertedIsQuotedAndExplained) {
    const Ran add = ran({"convert", "--to", "json"}, "_.add('a.b', 5);//加");
    EXPECT_EQ(add.code, 1);
    EXPECT_EQ(add.out, "");
    EXPECT_TRUE(add.err.starts_with("_.add('a.b', 5);")) << add.err;
    EXPECT_TRUE(add.err.contains("Unsupported operation for JSON instructions: increment"));
    EXPECT_TRUE(add.err.contains("--state FILE")) << add.err;
    EXPECT_FALSE(add.err.contains("~")) << add.err;
    const Ran fly = ran({"convert", "--to", "json"}, "_.fly('a', 1);", base::Language::kChinese);
    EXPECT_EQ(fly.code, 1);
    EXPECT_TRUE(fly.err.contains("_.fly('a', 1)")) << fly.err;
    EXPECT_TRUE(fly.err.contains("没有操作 _.fly")) << fly.err;
    EXPECT_FALSE(fly.err.contains("unreadable")) << fly.err;
    const Ran shallow =
        ran({"convert", "--to", "mvu"},
            R"([{"action":"patch","key":"character.saveData.a","value":{"b":{"c":1}}}])");
    EXPECT_EQ(shallow.code, 1);
    EXPECT_TRUE(shallow.err.contains("MVU has no place for shallow merge")) << shallow.err;
}

// The same instructions as text for MVU and as objects do the same. proves: S3-44, S3-58
TEST(Convert, TextAndObjectsAreExecutedAlike) {
    const Value document = json(R"({"player":{"level":5,"hp":100,"skills":[],"temp":1}})");
    const std::string reply =
        R"([{"op":"assign","path":["player","level"],"value":6,"old":5,"reason":"升级"},)"
        R"({"op":"merge","path":["player"],"value":{"hp":120}},)"
        R"({"op":"delete","path":["player","temp"]},)"
        R"({"op":"push","path":["player","skills"],"value":{"id":"fireball"}}])";
    const reader::Reading reading = reader::read(reply);
    const auto text = writer::write(reading.proposals, Form::kMvu);
    ASSERT_TRUE(text);
    EXPECT_TRUE(text->contains("_.set('player.level', 5, 6); // 升级")) << *text;
    const Value expected = json(R"({"player":{"level":6,"hp":120,"skills":[{"id":"fireball"}]}})");
    EXPECT_EQ(after(document, reply), expected);
    EXPECT_EQ(after(document, *text), expected);
}

// A result that contains the present is not dated 1970.
TEST(Convert, ADeletionIntoTheBinNeedsThePresent) {
    const std::string reply =
        R"([{"action":"delete","key":"character.saveData.a","options":{"softDelete":true}}])";
    const std::string file = testing::TempDir() + "convert_state.json";
    std::ofstream(file) << R"({"character":{"saveData":{"a":1}}})";
    const Ran undated = ran({"convert", "--to", "tavern1", "--state", file}, reply);
    EXPECT_EQ(undated.code, 2);
    EXPECT_TRUE(undated.err.contains("--now INSTANT is missing")) << undated.err;
    const Ran dated = ran(
        {"convert", "--to", "tavern1", "--state", file, "--now", "2026-05-04T03:02:01Z"}, reply);
    EXPECT_EQ(dated.code, 0) << dated.err;
    EXPECT_TRUE(dated.out.contains("2026-05-04T03:02:01.000Z")) << dated.out;
}

}  // namespace
}  // namespace arbiter::cli
