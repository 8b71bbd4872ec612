// Goal: requests of clients are read as they come: parts, old and new names of roles, hints in the
// body and in the head; unknown members are kept to be passed on.
#include "chat/client_request.h"

#include <gtest/gtest.h>

#include "value/json.h"

namespace arbiter::chat {
namespace {

base::Result<ClientRequest> parsed(std::string_view body) {
    return parse_client_request(*value::parse_json(body));
}

TEST(ClientRequests, AreReadWithPartsToolsAndHints) {
    const auto request = parsed(R"({
        "model": "m", "stream": true, "stream_options": {"include_usage": true}, "temperature": 1,
        "vendor": {"x": [1]}, "n": 2,
        "messages": [
            {"role": "developer", "content": "Rules."},
            {"role": "user", "name": "Bob",
             "content": [{"type": "text", "text": "See"}, {"type": "image_url", "image_url": {}}]},
            {"role": "assistant", "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "1", "content": "sunny"}],
        "tools": [{"type": "function", "function": {"name": "f", "parameters": {"a": 1}}}],
        "arbiter": {"campaign": "a", "generation": "swipe", "swipe": 2, "message": "7"}})");
    ASSERT_TRUE(request);
    EXPECT_TRUE(request->is_streamed);
    EXPECT_TRUE(request->asks_for_usage);
    ASSERT_EQ(request->messages.size(), 4U);
    EXPECT_EQ(request->messages[0].role, prompt::Role::kSystem);
    EXPECT_EQ(request->messages[1].content.view(), "See");
    EXPECT_TRUE(request->messages[1].parts.is_array());
    EXPECT_EQ(request->messages[2].tool_calls.at(0).name, "f");
    EXPECT_EQ(request->messages[3].tool_call_id, "1");
    EXPECT_EQ(request->tools.at(0).name, "f");
    EXPECT_EQ(request->campaign, "a");
    EXPECT_EQ(request->hints->generation, Generation::kSwipe);
    EXPECT_EQ(request->hints->swipe, 2U);
    EXPECT_EQ(request->hints->message, 7U);
    EXPECT_EQ(value::print_json(value::Value(request->more)),
              R"({"model":"m","temperature":1,"vendor":{"x":[1]}})");
}

TEST(ClientRequests, HintsOfTheHeadCountWhereTheBodyHasNone) {
    auto request = parsed(R"({"messages": [{"role": "user", "content": "Hi."}],
        "arbiter": {"campaign": "a", "swipe": 1}})");
    ASSERT_TRUE(request);
    request->take_header("x-arbiter-campaign", "b");
    request->take_header("x-arbiter-chat", "c");
    request->take_header("x-gen-type", "continue");
    request->take_header("x-swipe", "4");
    request->take_header("x-mid", "{{lastMessageId}}");
    EXPECT_EQ(request->campaign, "a");
    EXPECT_EQ(request->hints->chat, "c");
    EXPECT_EQ(request->hints->generation, Generation::kContinue);
    EXPECT_EQ(request->hints->swipe, 1U);
    EXPECT_EQ(request->hints->message, std::nullopt);
}

TEST(ClientRequests, ThatCannotBeReadSayWhy) {
    EXPECT_EQ(parsed("[]").error().code, base::ErrorCode::kFieldType);
    EXPECT_EQ(parsed("{}").error().code, base::ErrorCode::kFieldMissing);
    EXPECT_EQ(parsed(R"({"messages": []})").error().code, base::ErrorCode::kFieldType);
    EXPECT_EQ(parsed(R"({"messages": [{"role": "king", "content": ""}]})").error().code,
              base::ErrorCode::kFieldType);
    EXPECT_EQ(parsed(R"({"messages": [{"role": "user", "content": 3}]})").error().code,
              base::ErrorCode::kFieldType);
}

}  // namespace
}  // namespace arbiter::chat
