// Goal: the lesson of a campaign names its own paths and what its rulebook does by itself.
// Method: the blueprint of the shipped rulebook, and documents that lack parts of it.
#include "protocol/lesson.h"

#include <gtest/gtest.h>

#include "config/rulebooks.h"
#include "reader/reader.h"
#include "tests/protocol/support.h"
#include "writer/teach.h"

namespace arbiter::protocol {
namespace {

using base::Language;
using writer::Form;

std::vector<std::shared_ptr<const rules::Rulebook>> books() {
    auto book = config::load_rulebook("infinite-flow");
    EXPECT_TRUE(book);
    return {*std::move(book)};
}

// proves: S3-47
TEST(Lesson, OfMemoryCallsNamesThePathsOfTheState) {
    const auto all = books();
    const value::Value document(all[0]->blueprint);
    const std::string text = lesson(Form::kMemory, lesson_facts(all, document), Language::kChinese);
    for (const std::string_view part :
         {"set_attribute('属性段.生理属性.力量.基础', 3);", "set_status('天气', '示例内容');",
          "memory('world_set.npc.示例角色', '好感度', 5);", "delete('world_set.npc', 'all');",
          "set_attribute 从 play_character_data 之下写起", "\"_is_protected\": true",
          "play_character_data.衍生属性段 下的 速度.基础速度、先攻", "task.time_left",
          "memory('summary.small', '示例标题', '示例事件');", "set_status('日期', '01月01日');",
          "[\"3/d\", 100]", "\"_filter\": true",
          "delete('world_set.npc', 'all'); delete('world_set.settings', 'all');"}) {
        EXPECT_TRUE(text.contains(part)) << part << "\n" << text;
    }
    EXPECT_FALSE(text.contains("示例角色.气血"));
    // The commands of the lesson are read without a problem.
    reader::Options options;
    options.dialects = {proposal::Dialect::kMemory};
    for (const Language language : {Language::kEnglish, Language::kChinese}) {
        const auto reading =
            reader::read(lesson(Form::kMemory, lesson_facts(all, document), language), options);
        EXPECT_FALSE(reading.proposals.empty());
        for (const proposal::Proposal& each : reading.proposals) {
            EXPECT_TRUE(each.problems.empty()) << each.raw;
        }
    }
}

TEST(Lesson, DoesNotMentionRulesOfPartsThatAreMissing) {
    const auto all = books();
    const value::Value document = value::Object{{"hp", 3}};
    for (const Form form : {Form::kJson, Form::kMemory}) {
        std::string plain = writer::teach(form, Language::kEnglish);
        plain.erase(plain.find_last_not_of('\n') + 1);
        EXPECT_EQ(lesson(form, lesson_facts(all, document), Language::kEnglish), plain);
    }
}

TEST(Lesson, IsLeftToProtocolsThatTeachTheDialect) {
    const Protocol owner = tests::protocol_of(
        "meta: {id: a}\ninstruction: x\nparser_hints: {root_tag: variable_update}\n");
    EXPECT_TRUE(teaches(owner, proposal::Dialect::kFilament));
    EXPECT_FALSE(teaches(owner, proposal::Dialect::kJson));
    const Protocol other = tests::protocol_of(
        "meta: {id: a}\ninstruction: x\nparser_hints: {root_tag: live, behavior: display}\n");
    EXPECT_FALSE(teaches(other, proposal::Dialect::kFilament));
    EXPECT_TRUE(
        teaches(tests::protocol_of("meta: {id: a}\nteach: json\n"), proposal::Dialect::kJson));
}

}  // namespace
}  // namespace arbiter::protocol
