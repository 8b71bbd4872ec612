// Goal: a prompt teaches just the words that are read, in both languages, with the warning that the
// names in it are not to be used.
#include "writer/teach.h"

#include <gtest/gtest.h>

#include "proposal/operations.h"
#include "tests/writer/support.h"

namespace arbiter::writer {
namespace {

using base::Language;
using proposal::Dialect;
using proposal::Op;
using proposal::Verb;

constexpr Language kLanguages[] = {Language::kEnglish, Language::kChinese};

struct Taught {
    Form form;
    Dialect dialect;
};
constexpr Taught kTaught[] = {
    {Form::kTavern, Dialect::kTavern},  {Form::kJson, Dialect::kJson},
    {Form::kMvu, Dialect::kMvu},        {Form::kPatch, Dialect::kPatch},
    {Form::kMemory, Dialect::kMemory},  {Form::kFilament2, Dialect::kFilament},
    {Form::kFilament3, Dialect::kPatch}};

std::string heading(std::string_view word, Language language) {
    return "\n- " + std::string(word) + (language == Language::kChinese ? "：" : ": ");
}

// proves: S3-47, S3-48
TEST(Teach, EveryTaughtWordHasALineAndNoAlias) {
    for (const Taught& taught : kTaught) {
        for (const Language language : kLanguages) {
            const std::string text = teach(taught.form, language);
            for (const Verb& verb : proposal::verbs()) {
                if (verb.dialect == taught.dialect) {
                    EXPECT_EQ(text.contains(heading(verb.word, language)), verb.taught)
                        << verb.word << '\n'
                        << text;
                    const std::string call = "  _." + std::string(verb.word) + "(";
                    EXPECT_EQ(text.contains(call), taught.form == Form::kMvu && verb.taught)
                        << text;
                }
            }
        }
    }
}

// proves: S3-48
TEST(Teach, AWordThatIsLeftOutIsNotTaught) {
    for (const Taught& taught : kTaught) {
        for (const Language language : kLanguages) {
            for (const Verb& verb : proposal::verbs()) {
                if (verb.dialect != taught.dialect || taught.form == Form::kMemory) {
                    continue;
                }
                const std::string text = teach(taught.form, language, {{verb.op}});
                const std::string word(verb.word);
                EXPECT_FALSE(text.contains(heading(word, language))) << text;
                for (const std::string& said :
                     {"\"op\":\"" + word + "\"", "\"action\":\"" + word + "\"", "_." + word + "(",
                      "[\"" + word + "\""}) {
                    EXPECT_FALSE(text.contains(said)) << text;
                }
            }
        }
    }
    const std::vector<Op> no_push = {Op::kPush, Op::kPull};
    EXPECT_FALSE(teach(Form::kTavern, Language::kChinese, no_push).contains("push"));
    EXPECT_FALSE(teach(Form::kTavern, Language::kEnglish, no_push).contains("pull"));
    EXPECT_TRUE(teach(Form::kTavern, Language::kEnglish).contains("\n- \"dedupe\":true: "));
    // Of a memory word with several uses only the one goes.
    const std::string fewer = teach(Form::kMemory, Language::kChinese, {{Op::kMove}});
    EXPECT_TRUE(fewer.contains("memory('world_set.npc', '示例角色', '{"));
    EXPECT_FALSE(fewer.contains("'global_set.")) << fewer;
    EXPECT_FALSE(teach(Form::kMemory, Language::kChinese, {{Op::kDelete}}).contains("delete("));
}

// proves: S0-5
TEST(Teach, WarnsOfTheNamesInExamples) {
    for (const Taught& taught : kTaught) {
        const std::string chinese = teach(taught.form, Language::kChinese);
        EXPECT_TRUE(chinese.contains("仅表示结构，严禁直接使用")) << chinese;
        EXPECT_TRUE(chinese.contains("<…> 形式的占位符必须替换"));
        const std::string english = teach(taught.form, Language::kEnglish);
        EXPECT_TRUE(english.contains("show structure only and must not be reused")) << english;
        EXPECT_TRUE(english.contains("A placeholder in <…> must be replaced"));
        EXPECT_TRUE(chinese.contains(example_names()[0]));
        EXPECT_TRUE(english.contains(example_names()[3]));
    }
}

// proves: S3-47
TEST(Teach, JsonIsTaughtWithFenceBatchAndHints) {
    EXPECT_EQ(
        teach(Form::kJson, Language::kEnglish, {{Op::kPop, Op::kSplice, Op::kDelete, Op::kGet}}),
        "# State commands\n"
        "Whenever the story changes something in the state, end your reply with commands in "
        "this block; they run in order:\n"
        "```json\n[\n"
        R"({"op":"assign","path":["ExampleCharacter","health"],"value":80,"old":100,"reason":"wounded"},)"
        "\n"
        R"({"op":"merge","path":["ExampleCharacter"],"value":{"health":80,"liking":5}})"
        "\n]\n```\n"
        "\nCommands, with an example each:\n"
        "- assign: write a value, replacing what is there\n"
        R"(  {"op":"assign","path":["ExampleCharacter","health"],"value":80,"old":100,"reason":"wounded"})"
        "\n"
        "- merge: change only the named fields of an object\n"
        R"(  {"op":"merge","path":["ExampleCharacter"],"value":{"health":80,"liking":5}})"
        "\n"
        "- push: append an element to a list\n"
        R"(  {"op":"push","path":["ExampleCharacter","notes"],"value":"ExampleEvent"})"
        "\n"
        "- callback: trigger an event of the host: path is its name, value the list of "
        "arguments\n"
        R"(  {"op":"callback","path":["showMessage"],"value":["ExampleEvent"]})"
        "\n"
        "\nNotes:\n"
        "- Keep the ```json fence; one command or several in one array.\n"
        "- path is an array of strings.\n"
        "- value may be any JSON type; old (optional) is what you believe is there now.\n"
        "- Give a reason.\n"
        "- Names in these examples (people, items, places, skills) show structure only and "
        "must not be reused; make up names that fit the story. A placeholder in <…> must be "
        "replaced.\n");
}

// proves: S0-23, S0-25, S0-34, S0-95
TEST(Teach, TavernShowsAFormForEveryOptionAndTheTimeAndTasksOfASave) {
    for (const Language language : kLanguages) {
        const std::string text = teach(Form::kTavern, language);
        for (const proposal::OptionRow& row : proposal::options()) {
            const std::string line = "\n- \"" + std::string(row.name) + "\":";
            EXPECT_EQ(text.contains(line + std::string(row.form_in(language))), row.taught)
                << row.name << '\n'
                << text;
            const auto form = value::parse_json(row.form_in(language));
            ASSERT_TRUE(form) << row.name;
            EXPECT_TRUE(proposal::fits(row.type, *form)) << row.name;
        }
        EXPECT_FALSE(text.contains("__version")) << "hidden from models";
        for (const std::string_view part :
             {"character.saveData.时间.当前", "character.saveData.时间.时间轴",
              "character.saveData.任务.", "\"text\":", "\"tavern_commands\":"}) {
            EXPECT_TRUE(text.contains(part)) << part;
        }
        // The first block does not change one value twice.
        const std::string block = text.substr(0, text.find("\n]"));
        const std::string key = language == Language::kChinese ? "气血" : "health";
        EXPECT_EQ(block.find(key), block.rfind(key)) << block;
    }
    const std::string chinese = teach(Form::kTavern, Language::kChinese);
    for (const std::string_view word : {"包含", "不包含", "开头", "结尾", "正则", "存在", ">="}) {
        EXPECT_TRUE(chinese.contains(word)) << word;
    }
}

TEST(Teach, WhatAModelNeverWritesIsNotTaught) {
    for (const Language language : kLanguages) {
        EXPECT_EQ(teach(Form::kDirect, language), "");
        EXPECT_EQ(teach(Form::kInternal, language), "");
        EXPECT_FALSE(teach(Form::kJson, language).contains("\"get\""));
        EXPECT_TRUE(teach(Form::kTools, language).contains("{\"tool_calls\":["));
        std::vector<Op> all;
        for (const proposal::Operation& operation : proposal::operations()) {
            all.push_back(operation.op);
        }
        EXPECT_EQ(teach(Form::kMvu, language, all), "");
    }
}

TEST(Teach, IsCompact) {
    for (const Taught& taught : kTaught) {
        for (const Language language : kLanguages) {
            const std::size_t limit = taught.form == Form::kTavern ? 7000 : 3000;
            EXPECT_LT(teach(taught.form, language).size(), limit) << name(taught.form);
        }
    }
}

}  // namespace
}  // namespace arbiter::writer
