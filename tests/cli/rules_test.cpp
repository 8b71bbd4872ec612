// Goal: `arbiter rules` does what its help says, overwrites nothing, and the example of
// docs/rules.md is what it claims to be.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/cli.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter {
namespace {

using tests::ran;

// A folder of its own, gone with the test.
class RulesCommand : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("arbiter-rules-" +
                   std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, std::string_view text) {
        const std::string path = (folder_ / name).string();
        std::filesystem::create_directories(std::filesystem::path(path).parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    static std::string read(const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }

    std::filesystem::path folder_;
};

TEST_F(RulesCommand, ListsAndShows) {
    EXPECT_EQ(ran({"rules"}).out, ran({"rules", "list"}).out);
    EXPECT_TRUE(ran({"rules"}).out.contains("infinite-flow"));
    EXPECT_TRUE(ran({"rules"}, "", base::Language::kChinese).out.contains("无限流"));
    const auto shown = ran({"rules", "show", "infinite-flow"});
    EXPECT_EQ(shown.code, 0);
    EXPECT_TRUE(shown.out.contains("rulebook: infinite-flow"));
    // The output is a valid rulebook.
    const std::string copy = write("house.yaml", shown.out);
    EXPECT_EQ(ran({"rules", "lint", copy}).code, 0);
    const auto unknown = ran({"rules", "show", "infinite-flaw"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_TRUE(unknown.err.contains("infinite-flow")) << unknown.err;
    EXPECT_EQ(ran({"rules", "show"}).code, 2);
    EXPECT_EQ(ran({"rules", "dance"}).code, 2);
}

TEST_F(RulesCommand, LintNamesEveryFaultWithItsLine) {
    const std::string file = write("house.yaml",
                                   "rulebook: house\n"
                                   "derived:\n"
                                   "  - {place: a, formula: b +}\n"
                                   "limits:\n"
                                   "  - {plaec: a, max: 3}\n"
                                   "cleanup: [{each: a.$x, when: \"$y\"}]\n");
    const auto english = ran({"rules", "lint", file});
    EXPECT_EQ(english.code, 1);
    EXPECT_EQ(english.out, "1 file checked, 3 mistakes\n");
    for (const char* line : {":3:", ":5:", ":6:"}) {
        EXPECT_TRUE(english.err.contains(file + line)) << english.err;
    }
    EXPECT_TRUE(english.err.contains("Did you mean place")) << english.err;
    const auto chinese = ran({"rules", "lint", file}, "", base::Language::kChinese);
    EXPECT_EQ(chinese.code, 1);
    EXPECT_TRUE(chinese.err.contains(file + ":3:"));
    EXPECT_NE(chinese.err, english.err);
    // From standard input, by name, and where there is nothing.
    EXPECT_EQ(ran({"rules", "lint", "-"}, "rulebook: x\n").code, 0);
    const auto piped = ran({"rules", "lint", "-"}, "rulebook: x\nlimits: 3\n");
    EXPECT_EQ(piped.code, 1);
    EXPECT_TRUE(piped.err.contains("<stdin>:2:")) << piped.err;
    EXPECT_EQ(ran({"rules", "lint", (folder_ / "none.yaml").string()}).code, 2);
    EXPECT_EQ(ran({"rules", "lint"}).code, 2);
    EXPECT_EQ(ran({"rules", "explain", "infinite-flow", "a", "b"}).code, 2);
}

// Every lint reads files, folders and standard input in one way, and reports in one way.
TEST_F(RulesCommand, EveryLintTakesFilesAndFolders) {
    for (const char* command : {"card", "profiles", "protocol", "rules", "table", "tools"}) {
        SCOPED_TRACE(command);
        const std::string place = std::string("in-") + command;
        const std::string a = write(place + "/a.yaml", "nosuch_key: [\n");
        const std::string b = write(place + "/deep/b.yaml", "nosuch_key: [\n");
        write(place + "/note.txt", "[");
        const std::string folder = (folder_ / place).string();
        const auto both = ran({command, "lint", folder});
        EXPECT_EQ(both.code, 1);
        EXPECT_TRUE(both.err.contains(a + ":")) << both.err;
        EXPECT_TRUE(both.err.contains(b + ":")) << both.err;
        EXPECT_TRUE(both.out.starts_with("2 files checked, 2 mistakes\n")) << both.out;
        const auto typed = ran({command, "lint", a, b, a, "-"}, "nosuch_key: [\n");
        EXPECT_EQ(typed.code, 1);
        EXPECT_TRUE(typed.err.contains("<stdin>:")) << typed.err;
        EXPECT_TRUE(typed.out.starts_with("3 files checked, 3 mistakes\n")) << typed.out;
        const auto json = value::parse_json(ran({command, "lint", folder, "--json"}).out);
        ASSERT_TRUE(json);
        EXPECT_EQ(*json->as_object().find("files"), value::Value(2));
        EXPECT_EQ(json->as_object().find("mistakes")->as_array().size(), 2U);
        EXPECT_EQ(ran({command, "lint", a, (folder_ / "none.yaml").string()}).code, 2);
        std::filesystem::create_directories(folder_ / "empty");
        EXPECT_EQ(ran({command, "lint", (folder_ / "empty").string()}).code, 2);
        EXPECT_EQ(ran({command, "lint"}).code, 2);
    }
}

TEST_F(RulesCommand, ExplainSaysWhichRulesTouchAPath) {
    const auto about = ran({"rules", "explain", "infinite-flow", "stat_data.检定难度"});
    EXPECT_EQ(about.code, 0);
    EXPECT_TRUE(about.out.contains("检定难度  about it")) << about.out;
    EXPECT_TRUE(about.out.contains("层级变化")) << about.out;
    const auto read =
        ran({"rules", "explain", "infinite-flow", "play_character_data.属性段.生理属性.耐力.基础"});
    EXPECT_TRUE(read.out.contains("生命值上限  reads it")) << read.out;
    EXPECT_TRUE(read.out.contains("传奇")) << read.out;
    EXPECT_FALSE(read.out.contains("防御")) << read.out;
    EXPECT_TRUE(ran({"rules", "explain", "infinite-flow", "nothing.here"}).out.contains("No rule"));
    EXPECT_EQ(ran({"rules", "explain", "infinite-flow"}).code, 2);
    EXPECT_EQ(ran({"rules", "explain", "infinite-flow", "a[x"}).code, 2);
    const std::string file = write("house.yaml", "rulebook: x\n");
    EXPECT_EQ(ran({"rules", "explain", file, "a"}).code, 0);
}

// proves: S2-5, S2-1
TEST_F(RulesCommand, InitFillsUpAndOverwritesNothing) {
    const auto fresh = ran({"rules", "init", "infinite-flow"});
    EXPECT_EQ(fresh.code, 0);
    const auto document = value::parse_json(fresh.out);
    ASSERT_TRUE(document);
    for (const char* module : {"play_character_data", "stat_data", "assa_data"}) {
        EXPECT_TRUE(document->as_object().contains(module)) << module;
    }
    const std::string old = R"({"stat_data":{"日期":["07月07日","mine"],"own":1}})";
    const std::string save = write("save.json", old);
    const std::string target = (folder_ / "new.json").string();
    EXPECT_EQ(ran({"rules", "init", "infinite-flow", "--state", save, "--out", target}).code, 0);
    EXPECT_EQ(read(save), old);
    const std::string filled = read(target);
    EXPECT_TRUE(filled.contains("07月07日"));
    EXPECT_TRUE(filled.contains("\"own\": 1"));
    EXPECT_TRUE(filled.contains("当前装备"));
    // Once more changes nothing.
    EXPECT_EQ(ran({"rules", "init", "infinite-flow", "--state", target, "--out", target}).code, 0);
    EXPECT_EQ(read(target), filled);
    EXPECT_EQ(ran({"rules", "init", "infinite-flow", "--state", write("bad.json", "{")}).code, 2);
    EXPECT_EQ(ran({"rules", "init", "nowhere"}).code, 2);
}

TEST_F(RulesCommand, TheExampleOfTheDocumentation) {
    const auto docs =
        std::filesystem::path(ARBITER_TEST_DATA).parent_path().parent_path().parent_path() / "docs";
    const std::string page = read((docs / "rules.md").string());
    const auto block = [&page](const std::string& name) {
        const std::size_t begin = page.find("```" + name + "\n") + name.size() + 4;
        return page.substr(begin, page.find("```\n", begin) - begin);
    };
    const std::string book = write("house.yaml", block("yaml"));
    std::string turn = block("turn");
    turn.replace(turn.find("house.yaml"), 10, book);
    const auto tested = ran({"test", write("lantern.turn", turn)});
    EXPECT_EQ(tested.code, 0) << tested.out << tested.err;
    EXPECT_EQ(ran({"rules", "lint", book}).code, 0);
}

// Rules that were stopped are spoken of.
TEST_F(RulesCommand, ApplySaysThatRulesWereStopped) {
    const std::string book =
        write("loop.yaml",
              "rulebook: loop\non_change:\n  - {watch: a, do: [{set: b, to: a + 1}]}\n"
              "  - {watch: b, do: [{set: a, to: b + 1}]}\n");
    const std::string profile =
        write("profile.yaml", "name: loop\nextends: mvu\nrulebooks: [" + book + "]\n");
    const std::string save = write("save.json", R"({"a":0,"b":0})");
    const auto applied =
        ran({"apply", "--profile", profile, "--state", save, "-"}, "_.set('a', 1);\n");
    EXPECT_TRUE(applied.out.contains("were stopped")) << applied.out << applied.err;
}

}  // namespace
}  // namespace arbiter
