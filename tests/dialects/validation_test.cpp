// Goal: an instruction that cannot be used is refused with all of its errors, in the words of the
// format's specification, and with an example of what can be read.
// Method: replies with one mistake or several, read as a whole; the English text of each problem.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "proposal/advice.h"
#include "proposal/describe.h"
#include "reader/reader.h"

namespace arbiter {
namespace {

using base::Language;
using proposal::Proposal;

std::vector<Proposal> read_json(std::string_view instructions) {
    reader::Options options;
    options.dialects = reader::Dialects{proposal::Dialect::kJson};
    return reader::read("```json\n" + std::string(instructions) + "\n```", options).proposals;
}

// The English texts of all problems, one a line.
std::string errors(std::string_view instruction) {
    std::string out;
    for (const Proposal& proposal : read_json(instruction)) {
        for (const proposal::Problem& problem : proposal.problems) {
            out += explain(proposal, problem, Language::kEnglish) + "\n";
        }
    }
    return out;
}

bool mentions(const std::string& text, std::initializer_list<std::string_view> parts) {
    return std::ranges::all_of(parts, [&](std::string_view part) { return text.contains(part); });
}

// proves: S3-29, S3-30, S3-31, S3-32
TEST(Validation, EachErrorHasTheWordsOfTheSpecification) {
    EXPECT_TRUE(mentions(errors(R"({"op":"fly","path":["a"]})"), {"Invalid operation type: fly"}));
    for (const std::string_view path : {R"("a.b")", "[]", "[true]", "{}"}) {
        EXPECT_TRUE(mentions(errors(R"({"op":"get","path":)" + std::string(path) + "}"),
                             {"Invalid path: must be non-empty array", path}))
            << path;
    }
    for (const std::string_view op : {"assign", "merge", "push", "splice", "callback"}) {
        EXPECT_TRUE(mentions(errors(R"({"op":")" + std::string(op) + R"(","path":["a"]})"),
                             {"Missing required field: value", op}))
            << op;
    }
    for (const std::string_view name : {"__proto__", "constructor", "prototype"}) {
        EXPECT_TRUE(mentions(errors(R"({"op":"get","path":["a",")" + std::string(name) + "\"]}"),
                             {"Security risk detected in instruction", name}))
            << name;
    }
}

// proves: S3-33
TEST(Validation, AllErrorsOfAnInstructionAreCollected) {
    EXPECT_TRUE(mentions(errors(R"({"op":"assign","path":"a.b"})"),
                         {"Invalid path", "Missing required field: value"}));
    EXPECT_TRUE(mentions(errors(R"({"op":"splice","path":[]})"),
                         {"Invalid path", "Missing required field: value"}));
    EXPECT_TRUE(mentions(errors(R"({"op":"fly","path":7})"),
                         {"Invalid operation type: fly", "Invalid path"}));
    EXPECT_TRUE(mentions(errors(R"({"op":"fly","path":["__proto__"]})"),
                         {"Invalid operation type: fly", "Security risk"}));
    EXPECT_TRUE(mentions(errors(R"({"op":"push","path":["constructor"]})"),
                         {"Security risk", "Missing required field: value"}));
    EXPECT_EQ(errors(R"({"op":"assign","path":["a"],"value":1})"), "");
}

// proves: S3-53, S3-59
TEST(Validation, AParseErrorComesWithAnExampleThatCanBeRead) {
    const auto broken = read_json(R"({"op":"assign","path":["a"],"value": ::: @@@})");
    ASSERT_EQ(broken.size(), 1U);
    EXPECT_TRUE(explain(broken[0], broken[0].problems.at(0), Language::kEnglish)
                    .starts_with("Failed to parse JSON instructions: "));
    EXPECT_EQ(proposal::parse_failure(proposal::Dialect::kJson).chinese, "JSON格式错误");
    EXPECT_EQ(proposal::suggestion(proposal::Dialect::kJson).chinese,
              "请使用正确的JSON格式，例如：\n"
              R"({"op":"assign","path":["player","hp"],"value":80})");
    for (std::size_t i = 0; i < static_cast<std::size_t>(proposal::Dialect::kCount); ++i) {
        const auto dialect = static_cast<proposal::Dialect>(i);
        std::string example = proposal::suggestion(dialect).english;
        example.erase(0, example.find('\n') + 1);
        const auto block = dialect == proposal::Dialect::kFilament
                               ? "<variable_update>[" + example + "]</variable_update>"
                               : example;
        const reader::Reading reading = reader::read(block);
        ASSERT_EQ(reading.proposals.size(), 1U) << block;
        EXPECT_EQ(reading.proposals[0].dialect, dialect) << block;
        EXPECT_TRUE(reading.proposals[0].problems.empty()) << block;
    }
}

// The engine keeps the metadata; a host that has scopes is told which one is meant.
// proves: A3-13
TEST(Validation, TheScopeIsTheMetadatasOrThePrefixs) {
    const auto scope = [](std::string_view instruction) {
        const auto read = read_json(instruction);
        EXPECT_EQ(read.size(), 1U) << instruction;
        return read.empty() ? "" : std::string(proposal::scope_of(*read[0].instruction()));
    };
    EXPECT_EQ(scope(R"({"op":"get","path":["global_flags","a"]})"), "global");
    EXPECT_EQ(scope(R"({"op":"get","path":["chat_mood"]})"), "chat");
    EXPECT_EQ(scope(R"({"op":"get","path":["_seed"]})"), "script");
    EXPECT_EQ(scope(R"({"op":"get","path":["player","chat_mood"]})"), "character");
    const auto kept = read_json(
        R"({"op":"assign","path":["chat_mood"],"value":1,"metadata":{"scope":"message","x":1}})");
    ASSERT_EQ(kept.size(), 1U);
    EXPECT_EQ(proposal::scope_of(*kept[0].instruction()), "message");
    EXPECT_TRUE(kept[0].instruction()->metadata.contains("x"));
    EXPECT_EQ(to_value(kept[0]).as_object().find("scope")->as_string(), "message");
}

// The times of the specification are for JavaScript; reading must be far below them. proves: S3-56
TEST(Validation, AReplyIsReadInFarLessThanAMillisecondOrTwo) {
    constexpr int kReplies = 200;
    const auto milliseconds = [](const std::string& reply) {
        const std::clock_t begin = std::clock();
        for (int i = 0; i < kReplies; ++i) {
            EXPECT_EQ(reader::read(reply).proposals.size(), 4U);
        }
        return 1000.0 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / kReplies;
    };
    EXPECT_LT(milliseconds(R"(玩家升级了！
```json
[{"op":"assign","path":["player","level"],"value":6,"old":5,"reason":"升级到6级"},
 {"op":"assign","path":["player","hp"],"value":120,"old":100,"reason":"生命值上限提升"},
 {"op":"push","path":["player","skills"],"value":{"id":"fireball","level":1}},
 {"op":"callback","path":["showMessage"],"value":["恭喜升级到6级！"]}]
```)"),
              2.0);
    EXPECT_LT(milliseconds("玩家升级了！\n_.set('player.level', 5, 6);//升级\n"
                           "_.set('player.hp', 100, 120);\n_.push('player.skills', 'fireball');\n"
                           "_.callback('showMessage', '恭喜');\n"),
              10.0);
}

}  // namespace
}  // namespace arbiter
