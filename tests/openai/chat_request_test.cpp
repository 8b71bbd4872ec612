// Goal: a request has the members that chat completion servers read, and none that they refuse.
#include "openai/chat_request.h"

#include <gtest/gtest.h>

#include "value/json.h"

namespace arbiter::openai {
namespace {

using prompt::Message;
using prompt::Role;

TEST(ChatRequest, MessagesKeepTheirRolesCallsAndResults) {
    model::Request request;
    Message call{Role::kAssistant, ""};
    call.tool_calls = {{"c1", "roll", R"({"dice":"1d20"})"}};
    Message result{Role::kTool, "17"};
    result.tool_call_id = "c1";
    request.messages = {{Role::kSystem, "你是说书人。"}, {Role::kUser, "推门"}, call, result};
    EXPECT_EQ(print_chat_request(request, {.model = "m", .is_streamed = false}),
              R"({"model":"m","messages":[{"role":"system","content":"你是说书人。"},)"
              R"({"role":"user","content":"推门"},{"role":"assistant","content":null,"tool_calls":)"
              R"([{"id":"c1","type":"function","function":{"name":"roll",)"
              R"("arguments":"{\"dice\":\"1d20\"}"}}]},)"
              R"({"role":"tool","content":"17","tool_call_id":"c1"}],"stream":false})");
}

TEST(ChatRequest, OnlyNamesThatServersAcceptAreSent) {
    model::Request request;
    request.messages = {{Role::kUser, "a", "Lin-1"}, {Role::kUser, "b", "林霜"}};
    EXPECT_EQ(print_chat_request(request, {.is_streamed = false}),
              R"({"messages":[{"role":"user","content":"a","name":"Lin-1"},)"
              R"({"role":"user","content":"b"}],"stream":false})");
}

TEST(ChatRequest, SamplingToolsSeedAndUsage) {
    model::Request request;
    request.messages = {{Role::kUser, "x"}};
    request.tools = {{"roll", "Rolls dice.", value::Object{{"type", "object"}}}};
    request.sampling.temperature = 0.5;
    request.sampling.top_p = 0.9;
    request.sampling.presence_penalty = 1.0;
    request.sampling.frequency_penalty = -1.0;
    request.sampling.tokens_max = 100;
    request.sampling.stop = {"\n\n"};
    // A stranger's member is passed on; one that would change how the answer is read is not.
    request.sampling.more = value::Object{{"min_p", 0.1}, {"stream", false}, {"model", "other"}};
    request.seed = 7;
    const auto sent = value::parse_json(print_chat_request(request, {.model = "m"}));
    ASSERT_TRUE(sent);
    EXPECT_EQ(*sent, *value::parse_json(
                         R"({"min_p":0.1,"stream":true,"model":"m",
        "messages":[{"role":"user","content":"x"}],
        "tools":[{"type":"function","function":{"name":"roll","description":"Rolls dice.",
                  "parameters":{"type":"object"}}}],
        "temperature":0.5,"top_p":0.9,"presence_penalty":1,"frequency_penalty":-1,
        "max_tokens":100,"stop":["\n\n"],"seed":7,"stream_options":{"include_usage":true}})"));
    EXPECT_FALSE(print_chat_request(request, {.asks_for_usage = false}).contains("stream_options"));
}

}  // namespace
}  // namespace arbiter::openai
