// Goal: `arbiter protocol` does what its help says, in both languages, and its exit codes can be
// relied on.
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

using base::Language;
using tests::ran;

// A folder of its own, gone with the test.
class ProtocolCommand : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("arbiter-protocol-" +
                   std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, std::string_view text) {
        const std::string path = (folder_ / name).string();
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }

    std::filesystem::path folder_;
};

TEST_F(ProtocolCommand, Lists) {
    EXPECT_EQ(ran({"protocol"}).out, ran({"protocol", "list"}).out);
    EXPECT_TRUE(ran({"protocol"}).out.contains("love_system_simple@1.0.0"));
    EXPECT_TRUE(ran({"protocol"}, "", Language::kChinese).out.contains("直播模式"));
    const auto json = value::parse_json(ran({"protocol", "list", "--json"}).out);
    ASSERT_TRUE(json);
    EXPECT_GE(json->as_array().size(), 19U);
    // One's own beside ours; a broken one is told and the rest is there.
    write("mine.yaml", "meta: {id: mine, name: Of my own}\ninstruction: x\n");
    write("bad.yaml", "meta: {}\n");
    const auto own = ran({"protocol", "list", "--folder", folder_.string()});
    EXPECT_EQ(own.code, 0);
    EXPECT_TRUE(own.out.contains("Of my own"));
    EXPECT_TRUE(own.err.contains("bad.yaml:1:")) << own.err;
    EXPECT_EQ(ran({"protocol", "list", "x"}).code, 2);
    EXPECT_EQ(ran({"protocol", "dance"}).code, 2);
}

TEST_F(ProtocolCommand, Shows) {
    const auto shown = ran({"protocol", "show", "love_system_simple"});
    EXPECT_EQ(shown.code, 0);
    // The output is a valid protocol.
    EXPECT_EQ(ran({"protocol", "lint", write("copy.yaml", shown.out)}).code, 0);
    const auto json = value::parse_json(ran({"protocol", "show", "choice@^1", "--json"}).out);
    ASSERT_TRUE(json);
    EXPECT_EQ(*json->as_object().find("id"), value::Value("choice"));
    EXPECT_TRUE(json->as_object().find("instruction")->as_string().contains("<choice>"));
    const auto unknown = ran({"protocol", "show", "love_sistem_simple"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_TRUE(unknown.err.contains("love_system_simple")) << unknown.err;
    EXPECT_EQ(ran({"protocol", "show"}).code, 2);
    EXPECT_EQ(ran({"protocol", "show", "choice", "claims"}).code, 2);
}

// proves: S4-18
TEST_F(ProtocolCommand, LintNamesEveryMistakeWithItsLine) {
    const std::string file = write("house.yaml",
                                   "meta: {id: house, version: newest}\n"
                                   "instruction: x\n"
                                   "parser_hints: {root_tag: <live>}\n"
                                   "activaton: {keywords: [x]}\n");
    const auto english = ran({"protocol", "lint", file});
    EXPECT_EQ(english.code, 1);
    for (const char* line : {":1:", ":3:", ":4:"}) {
        EXPECT_TRUE(english.err.contains(file + line)) << english.err;
    }
    EXPECT_EQ(english.out, "1 file checked, 3 mistakes\n");
    const auto chinese = ran({"protocol", "lint", file}, "", Language::kChinese);
    EXPECT_EQ(chinese.code, 1);
    EXPECT_EQ(chinese.out, "检查了 1 个文件，发现 3 处问题\n");
    EXPECT_TRUE(chinese.err.contains("activation？")) << chinese.err;
    const auto json = value::parse_json(ran({"protocol", "lint", file, "--json"}).out);
    ASSERT_TRUE(json);
    const auto& mistakes = json->as_object().find("mistakes")->as_array();
    ASSERT_EQ(mistakes.size(), 3U);
    EXPECT_EQ(*mistakes[1].as_object().find("code"), value::Value("protocol_tag"));
    EXPECT_EQ(*mistakes[1].as_object().find("line"), value::Value(3));
    EXPECT_EQ(ran({"protocol", "lint", folder_.string()}).code, 1);
    EXPECT_EQ(ran({"protocol", "lint", "-"}, "meta: {id: a}\ninstruction: x\n").code, 0);
    EXPECT_TRUE(ran({"protocol", "lint", "-"}, "meta: 3\n").err.contains("<stdin>:1:"));
    EXPECT_EQ(ran({"protocol", "lint", (folder_ / "none.yaml").string()}).code, 2);
    EXPECT_EQ(ran({"protocol", "lint"}).code, 2);
}

TEST_F(ProtocolCommand, GraphSaysWhoNeedsWhom) {
    write("mine.yaml",
          "meta: {id: mine, dependencies: [gone], conflicts_with: [choice]}\n"
          "instruction: x\n");
    const auto graph = ran({"protocol", "graph", "--folder", folder_.string()});
    EXPECT_EQ(graph.code, 0);
    EXPECT_TRUE(graph.out.starts_with("graph TD\n")) << graph.out;
    EXPECT_TRUE(graph.out.contains("[\"gone\"]")) << graph.out;
    EXPECT_TRUE(graph.out.contains("-.->|conflicts|")) << graph.out;
    const auto json = value::parse_json(ran({"protocol", "graph", "--json"}).out);
    ASSERT_TRUE(json);
    EXPECT_TRUE(value::print_json(*json->as_object().find("edges"))
                    .contains(R"({"from":"love_system_simple@1.0.0",)"
                              R"("to":"variable_update_base@1.0.0","kind":"needs"})"));
}

// proves: S4-39
TEST_F(ProtocolCommand, ResolveShowsWhatComesOfIt) {
    const auto love = ran({"protocol", "resolve", "love_system_simple"});
    EXPECT_EQ(love.code, 0);
    EXPECT_TRUE(
        love.out.contains("== variable_update_base@1.0.0  system_end 100  "
                          "love_system_simple needs it"))
        << love.out;
    EXPECT_TRUE(love.out.contains("<variable_update>"));
    EXPECT_TRUE(love.out.contains("> Assistant: "));
    EXPECT_TRUE(love.out.contains("$who.好感度 per_day 10"));
    EXPECT_TRUE(ran({"protocol", "resolve", "love_system_simple"}, "", Language::kChinese)
                    .out.contains("love_system_simple 依赖它"));
    const auto clash = ran({"protocol", "resolve", "live_stream_mode", "text_adventure"});
    EXPECT_EQ(clash.code, 1);
    EXPECT_TRUE(clash.err.contains("Only one mode")) << clash.err;
    const auto json =
        value::parse_json(ran({"protocol", "resolve", "live_stream_mode", "--json"}).out);
    ASSERT_TRUE(json);
    EXPECT_EQ(value::print_json(*json->as_object().find("hints")),
              R"([{"tag":"live","meaning":"component"}])");
}

TEST_F(ProtocolCommand, TheExampleOfTheDocumentation) {
    const auto docs =
        std::filesystem::path(ARBITER_TEST_DATA).parent_path().parent_path().parent_path() / "docs";
    std::ifstream in(docs / "protocols.md", std::ios::binary);
    const std::string page((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const auto block = [&page](const std::string& name) {
        const std::size_t begin = page.find("```" + name + "\n") + name.size() + 4;
        return page.substr(begin, page.find("```\n", begin) - begin);
    };
    const std::string mine = write("mine.yaml", block("yaml"));
    std::string turn = block("turn");
    turn.replace(turn.find("mine.yaml"), 9, mine);
    const auto tested = ran({"test", write("lantern.turn", turn)});
    EXPECT_EQ(tested.code, 0) << tested.out << tested.err;
    EXPECT_EQ(ran({"protocol", "lint", mine}).code, 0);
    // A transcript that names what there is not says so.
    const auto unknown = ran({"test", write("no.turn",
                                            "== x\nprotocol: nobody\n-- state\n{}\n"
                                            "-- reply\nx\n-- after\n{}\n==\n")});
    EXPECT_NE(unknown.code, 0);
    EXPECT_TRUE((unknown.out + unknown.err).contains("nobody")) << unknown.out << unknown.err;
}

}  // namespace
}  // namespace arbiter
