// Goal: chats of SillyTavern are read with their swipes and variables, and a file that is written
// again means the same. Method: lines as SillyTavern 1.13 and 酒馆助手 write them, and broken ones.
#include "chat/chat_file.h"

#include <gtest/gtest.h>

#include "value/json.h"

namespace arbiter::chat {
namespace {

constexpr std::string_view kChat =
    R"({"user_name":"unused","character_name":"unused","chat_metadata":{"integrity":"i-1","x":[1]}})"
    "\n"
    R"({"name":"Mira","is_user":false,"mes":"Hi Rook.","swipes":["Hi {{user}}.","Ho."],"swipe_id":0})"
    "\r\n\n"
    R"({"name":"Rook","is_user":true,"mes":"go","extra":{"k":{"deep":true}}})"
    "\n"
    R"({"name":"Note","is_user":false,"is_system":true,"mes":"hidden"})"
    "\n"
    R"({"name":"Mira","mes":"B","swipes":["A","B"],"swipe_id":1,"variables":[null,{"stat_data":{"hp":1}}]})"
    "\n"
    R"({"name":"Mira","mes":"C","variables":{"0":{"stat_data":{"hp":2}}}})";

TEST(ChatFile, ReadsSwipesAndVariables) {
    const auto file = parse_chat_file(kChat);
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->header.contains("chat_metadata"));
    ASSERT_EQ(file->messages.size(), 5U);
    EXPECT_EQ(file->messages[0].text, "Hi Rook.");
    EXPECT_EQ(file->messages[0].swipes, (std::vector<std::string>{"Hi {{user}}.", "Ho."}));
    EXPECT_TRUE(file->messages[1].is_user);
    EXPECT_TRUE(file->messages[2].is_hidden);
    const FileMessage& reply = file->messages[3];
    EXPECT_EQ(reply.swipe, 1U);
    EXPECT_TRUE(reply.variables[0].is_null());
    EXPECT_EQ(value::print_json(reply.variables[1]), R"({"stat_data":{"hp":1}})");
    // Of one version; by number.
    EXPECT_EQ(file->messages[4].swipes, std::vector<std::string>{"C"});
    EXPECT_EQ(value::print_json(file->messages[4].variables[0]), R"({"stat_data":{"hp":2}})");
}

TEST(ChatFile, AFileThatIsWrittenAgainMeansTheSame) {
    const auto file = parse_chat_file(kChat);
    ASSERT_TRUE(file);
    std::vector<value::Object> lines;
    for (const FileMessage& each : file->messages) {
        lines.push_back(each.whole);
    }
    const auto again = parse_chat_file(print_chat_file(file->header, lines));
    ASSERT_TRUE(again);
    EXPECT_EQ(value::Value(again->header), value::Value(file->header));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        EXPECT_EQ(value::Value(again->messages[i].whole), value::Value(lines[i]));
    }
}

TEST(ChatFile, ANumberOfASwipeThatIsNotThereIsTheLast) {
    const auto file = parse_chat_file(R"({"mes":"A","swipes":["A","B"],"swipe_id":7})");
    ASSERT_TRUE(file);
    EXPECT_EQ(file->messages[0].swipe, 1U);
}

TEST(ChatFile, AMistakeHasTheLineInWhichItIs) {
    const auto line_of = [](std::string_view text) {
        const auto file = parse_chat_file(text);
        return file ? 0 : file.error().place.value().line;
    };
    EXPECT_EQ(line_of("{\"mes\":\"a\"}\n{\"mes\":"), 2U);
    EXPECT_EQ(line_of("{\"mes\":\"a\"}\n\n[1]"), 3U);
    EXPECT_EQ(line_of("{\"mes\":\"a\"}\n{\"name\":\"b\"}"), 2U);
    EXPECT_EQ(line_of("{\"chat_metadata\":{}}"), 1U);
    EXPECT_EQ(line_of(""), 1U);
}

}  // namespace
}  // namespace arbiter::chat
