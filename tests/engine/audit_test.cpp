// Goal: the audit explains by itself why a command was not carried out, and a verdict says in both
// languages what was asked for and what stood against it.
// Method: replies are read and judged; records and sentences are compared.
// proves: S0-72, S0-91, S0-2, X-17
#include <gtest/gtest.h>

#include "engine/describe.h"
#include "reader/reader.h"
#include "value/json.h"

namespace arbiter {
namespace {

using base::Language;
using engine::Outcome;
using value::Value;

struct Judged {
    reader::Reading reading;
    Outcome outcome;
    std::vector<Value> records;
};

Judged judge(std::string_view state, std::string_view reply) {
    Judged judged;
    judged.reading = reader::read(reply, reader::Options());
    const engine::Context context{.now = 0, .actor = engine::Actor::kModel, .batch_id = "t"};
    const engine::State before{value::parse_json(state).value(), {}};
    judged.outcome = engine::apply(before, judged.reading.proposals, engine::Policy(), context);
    judged.records = engine::audit_records(judged.reading.proposals, judged.outcome, context);
    return judged;
}

std::string member(const Value& record, std::string_view key) {
    const Value* found = value::find_member(&record, key);
    return found == nullptr ? "-" : value::print_json(*found);
}

std::string sentence(const engine::Verdict& verdict, Language language) {
    return verdict.problem ? proposal::explain(*verdict.problem, language) : "-";
}

constexpr std::string_view kSave = R"({"character":{"saveData":{"hp":5,"bag":[1],"o":{}}}})";

TEST(Audit, FailedExpectationHasExpectedAndActual) {
    const Judged judged = judge(kSave, R"({"tavern_commands":[{"action":"add",)"
                                       R"("key":"character.saveData.hp","value":2,)"
                                       R"("options":{"expect":{"equals":8}}}]})");
    ASSERT_EQ(judged.records.size(), 1U);
    const Value& record = judged.records[0];
    EXPECT_EQ(member(record, "status"), "\"failed\"");
    EXPECT_EQ(member(record, "code"), "\"expect_failed\"");
    EXPECT_EQ(member(record, "value"), "2");
    EXPECT_EQ(member(record, "expected"), "\"equals 8\"");
    EXPECT_EQ(member(record, "actual"), "\"7\"");
    EXPECT_EQ(sentence(judged.outcome.verdicts[0], Language::kEnglish),
              "After the change character.saveData.hp does not meet expect: expected equals 8, "
              "actual 7. It was undone.");
    EXPECT_EQ(sentence(judged.outcome.verdicts[0], Language::kChinese),
              "修改后 character.saveData.hp 不满足 expect：期望 equals 8，实际 7；已撤销。");
}

TEST(Audit, EveryRefusalNamesWhatWasAskedFor) {
    struct Row {
        std::string_view entry;
        std::string_view code;
        std::string_view value;
        std::string_view expected;
        std::string_view actual;
    };
    const Row rows[] = {
        {R"({"action":"push","key":"character.saveData.hp","value":7})", "\"type_mismatch\"", "7",
         "\"array\"", "\"number\""},
        {R"({"action":"set","key":"hp","value":7})", "\"bad_prefix\"", "7",
         "\"character.saveData.\"", "-"},
        {R"({"action":"set","key":"character.saveData.hp","value":7,"options":{"ttl":-1}})",
         "\"bad_options\"", "7", "\"a number above 0\"", "-"},
        {R"({"action":"set","key":"character.saveData.hp","value":7,"options":{"ifVersion":3}})",
         "\"version_conflict\"", "7", "\"3\"", "\"0\""},
        {R"({"action":"set","key":"character.saveData.hp","value":7,"options":{"ifMissing":true}})",
         "\"guard_not_met\"", "7", "-", "-"},
    };
    for (const Row& row : rows) {
        const Judged judged =
            judge(kSave, R"({"tavern_commands":[)" + std::string(row.entry) + "]}");
        ASSERT_EQ(judged.records.size(), 1U) << row.entry;
        EXPECT_EQ(member(judged.records[0], "code"), row.code) << row.entry;
        EXPECT_EQ(member(judged.records[0], "value"), row.value) << row.entry;
        EXPECT_EQ(member(judged.records[0], "expected"), row.expected) << row.entry;
        EXPECT_EQ(member(judged.records[0], "actual"), row.actual) << row.entry;
    }
}

TEST(Audit, ARefusedCallHasItsArguments) {
    const Judged judged =
        judge(kSave, R"({"tool_calls":[{"id":"c","tool":"move","args":{"to_area_id":"cellar"}}]})");
    ASSERT_EQ(judged.records.size(), 1U);
    EXPECT_EQ(member(judged.records[0], "status"), "\"rejected\"");
    EXPECT_EQ(member(judged.records[0], "value"), R"({"to_area_id":"cellar"})");
}

TEST(Audit, SentencesAreOfOneLanguageAndSayWhatWouldWork) {
    struct Row {
        std::string_view entry;
        std::string_view english;
        std::string_view chinese;
    };
    const Row rows[] = {
        {R"({"action":"set","key":"character.saveData.hp","value":7,"options":{"ttl":-1}})",
         "The option ttl needs a number above 0, not -1.",
         "选项 ttl 需要大于 0 的数字，而不是 -1。"},
        {R"({"action":"push","key":"character.saveData.hp","value":7})",
         "character.saveData.hp is a number; this needs a list.",
         "character.saveData.hp 是数字，此操作需要列表。"},
        {R"({"action":"set","key":"hp","value":7})",
         "The key hp must begin with \"character.saveData.\".",
         "键 hp 必须以 character.saveData. 开头。"},
        {R"({"action":"set","key":["character","saveData","x"],"value":7})",
         "[\"character\",\"saveData\",\"x\"] is not a path that can be written to. Write it as "
         "\"key\": \"character.saveData.金币\".",
         "[\"character\",\"saveData\",\"x\"] 不是可写的路径。请写成 \"key\": "
         "\"character.saveData.金币\"。"},
        {R"({"action":"pull","key":"character.saveData.bag"})",
         "Missing required field: value. pull needs it, or one of the options where, count.",
         "缺少必填字段 value：pull 需要它，或选项 where, count 之一。"},
        {R"({"action":"add","key":"character.saveData.o","value":{"a":1},)"
         R"("options":{"uniqueBy":"物品ID"}})",
         "The value of add lacks the field \"物品ID\" that uniqueBy names.",
         "add 的值缺少 uniqueBy 指定的字段 \"物品ID\"。"},
    };
    for (const Row& row : rows) {
        const Judged judged =
            judge(kSave, R"({"tavern_commands":[)" + std::string(row.entry) + "]}");
        ASSERT_EQ(judged.outcome.verdicts.size(), 1U) << row.entry;
        EXPECT_EQ(sentence(judged.outcome.verdicts[0], Language::kEnglish), row.english);
        EXPECT_EQ(sentence(judged.outcome.verdicts[0], Language::kChinese), row.chinese);
    }
}

TEST(Audit, WarningsNameWhatTheyAreAbout) {
    const Judged judged = judge(kSave, R"({"tavern_commands":[{"action":"set","why":1,)"
                                       R"("key":"character.saveData.hp","value":2,)"
                                       R"("options":{"tttl":8,"expect":{"is":1}}}]})");
    ASSERT_EQ(judged.outcome.verdicts.size(), 1U);
    std::string names;
    for (const proposal::Remark& remark : judged.outcome.verdicts[0].remarks) {
        names += proposal::explain(remark, Language::kEnglish) + "\n";
    }
    EXPECT_EQ(names,
              "why is not known here; it was ignored.\n"
              "tttl is not known here; it was ignored.\n"
              "expect.is is not known here; it was ignored.\n");
    EXPECT_EQ(member(judged.records[0], "remarks"),
              R"([["unknown_option","why"],["unknown_option","tttl"],)"
              R"(["unknown_option","expect.is"]])");
}

}  // namespace
}  // namespace arbiter
