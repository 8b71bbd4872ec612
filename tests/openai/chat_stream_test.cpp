// Goal: any answer of a model server becomes a reply or the error that names its mistake, whatever
// the bytes are and however they are cut; errors never hold the key.
// Method: answers as text, fed whole, byte by byte and in random pieces.
#include "openai/chat_stream.h"

#include <gtest/gtest.h>

#include "base/explain.h"
#include "base/limits.h"
#include "base/messages.h"
#include "openai/failure.h"
#include "openai/quote.h"
#include "tests/support/random.h"
#include "text/utf8.h"

namespace arbiter::openai {
namespace {

using base::ErrorCode;
using model::Piece;

constexpr std::string_view kSecret = "sk-canary-0123456789abcdef";

struct Outcome {
    std::string text;  // of the reply, or the name of the error and its argument
    std::string reasoning;
    std::string pieces;  // joined
    std::string calls;
    model::Finish finish = model::Finish::kStop;
    model::Usage usage;
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

struct Reading {
    int status = 200;
    net::Headers headers = {};
    base::Result<> connection = {};
    bool may_be_empty = false;
};

Outcome decode(std::string_view body, const Reading& reading,
               const std::function<std::size_t()>& next_size) {
    ChatDecoder decoder({reading.status, "", reading.headers},
                        {.secret = std::string(kSecret),
                         .prompt_tokens = [] { return 5; },
                         .may_be_empty = reading.may_be_empty});
    Outcome outcome;
    const auto keep = [&](const Piece& piece) {
        EXPECT_TRUE(text::is_valid(piece.text));
        EXPECT_FALSE(piece.text.empty());
        outcome.pieces += (piece.kind == Piece::Kind::kReasoning ? "~" : "") + std::string();
        outcome.pieces += piece.text;
    };
    bool has_failed = false;
    while (!body.empty()) {
        const std::size_t size = std::min(next_size(), body.size());
        has_failed = !decoder.feed(body.substr(0, size), keep) || has_failed;
        body.remove_prefix(size);
    }
    const auto reply = decoder.finish(reading.connection, keep);
    EXPECT_TRUE(!has_failed || !reply);
    if (!reply) {
        for (const auto language : {base::Language::kEnglish, base::Language::kChinese}) {
            const std::string told = base::explain(reply.error(), language);
            EXPECT_FALSE(told.contains("canary")) << told;
            EXPECT_TRUE(text::is_valid(told)) << told;
        }
        outcome.text = std::string(base::name(reply.error().code)) + " " +
                       (reply.error().arguments.empty() ? "" : reply.error().arguments[0]);
        return outcome;
    }
    outcome.text = reply->text;
    outcome.reasoning = reply->reasoning;
    for (const prompt::NativeToolCall& call : reply->tool_calls) {
        outcome.calls += call.id + ":" + call.name + call.arguments + ";";
    }
    outcome.finish = reply->finish;
    outcome.usage = reply->usage;
    return outcome;
}

// The same for every split, or the test fails.
Outcome decode(std::string_view body, const Reading& reading = {}) {
    const Outcome whole = decode(body, reading, [] { return std::string::npos; });
    const Outcome bytes = decode(body, reading, [] { return 1U; });
    // Pieces differ in number, not in text; of an error, as much was shown.
    EXPECT_EQ(whole, bytes);
    tests::Random random(body.size());
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(whole, decode(body, reading, [&] { return 1 + random.below(40); }));
    }
    return whole;
}

std::string chunk(std::string_view delta, std::string_view more = "") {
    return "data: {\"choices\":[{\"index\":0,\"delta\":" + std::string(delta) + std::string(more) +
           "}]}\n\n";
}
std::string says(std::string_view text) {
    return chunk("{\"content\":\"" + std::string(text) + "\"}");
}
const std::string kStop = chunk("{}", ",\"finish_reason\":\"stop\"");
const std::string kDone = "data: [DONE]\n\n";

TEST(ChatStream, AStreamIsJoined) {
    const Outcome outcome = decode(
        "data: "
        "{\"model\":\"m\",\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":null}}]}"
        "\n\n" +
        says("门开") + says("了。") + kStop +
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":11,\"completion_tokens\":3}}\n\n" +
        kDone + says("ignored"));
    EXPECT_EQ(outcome.text, "门开了。");
    EXPECT_EQ(outcome.pieces, "门开了。");
    EXPECT_EQ(outcome.usage, (model::Usage{11, 3, false}));
    EXPECT_EQ(outcome.finish, model::Finish::kStop);
}

TEST(ChatStream, TheEndIsDoneOrAFinishReason) {
    EXPECT_EQ(decode(says("a") + kDone).text, "a");
    EXPECT_EQ(decode(says("a") + kStop).text, "a");
    // The last event has no blank line behind it.
    EXPECT_EQ(decode(says("a") + "data: [DONE]").text, "a");
    EXPECT_EQ(decode(says("a")).text,
              "model_cut_off the stream ended before the answer was complete");
    EXPECT_EQ(decode(says("a") + "data: {\"choi").text,
              "model_cut_off the stream ended before the answer was complete");
    const base::Result<> lost = base::fail(ErrorCode::kConnectionLost, {"reset"});
    EXPECT_EQ(decode(says("a") + "data: {\"choi", {.connection = lost}).text,
              "model_cut_off the connection was lost: reset");
    // Nothing is missing: the connection broke behind the end.
    EXPECT_EQ(decode(says("a") + kDone, {.connection = lost}).text, "a");
    EXPECT_EQ(decode(says("a") + kStop, {.connection = lost}).text, "a");
    const base::Result<> late = base::fail(ErrorCode::kNetTimeout, {"idle"});
    EXPECT_EQ(decode(says("a"), {.connection = late}).text, "model_timeout idle");
    // Usage that is missing is estimated.
    EXPECT_TRUE(decode(says("abc") + kDone).usage.estimated);
    EXPECT_EQ(decode(says("abc") + kDone).usage.prompt, 5);
    EXPECT_TRUE(
        decode(says("a") + "data: {\"choices\":null,\"usage\":null}\n\n" + kDone).usage.estimated);
}

TEST(ChatStream, ReasoningStaysApart) {
    for (const std::string key : {"reasoning_content", "reasoning"}) {
        const Outcome outcome = decode(chunk("{\"" + key + "\":\"hm\"}") + says("yes") + kDone);
        EXPECT_EQ(outcome.text, "yes");
        EXPECT_EQ(outcome.reasoning, "hm");
        EXPECT_EQ(outcome.pieces, "~hmyes");
    }
    EXPECT_EQ(
        decode(chunk(R"({"reasoning":"a","reasoning_content":"a"})") + says("b") + kDone).reasoning,
        "a");
    const Outcome parts =
        decode(chunk(R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},)"
                     R"({"type":"text","text":"yes"},{"type":"image"}]})") +
               kDone);
    EXPECT_EQ(parts.text, "yes");
    EXPECT_EQ(parts.reasoning, "hm");
}

TEST(ChatStream, ToolCallsAreJoinedByIndex) {
    const Outcome split = decode(
        chunk(
            R"({"tool_calls":[{"index":0,"id":"a","function":{"name":"roll","arguments":""}}]})") +
        chunk(
            R"({"tool_calls":[{"index":1,"id":"b","function":{"name":"move","arguments":"{\"to"}}]})") +
        chunk(R"({"tool_calls":[{"index":0,"function":{"arguments":"{\"dice\""}}]})") +
        chunk(R"({"tool_calls":[{"index":1,"function":{"arguments":"\":1}"}}]})") +
        chunk(R"({"tool_calls":[{"index":0,"function":{"name":"roll","arguments":":2}"}}]})",
              ",\"finish_reason\":\"tool_calls\"") +
        kDone);
    EXPECT_EQ(split.calls, "a:roll{\"dice\":2};b:move{\"to\":1};");
    EXPECT_EQ(split.finish, model::Finish::kToolCalls);
    // Whole calls without an index, all with index 0, without an id, with an object.
    EXPECT_EQ(
        decode(chunk(R"({"tool_calls":[{"id":"a","function":{"name":"x","arguments":"{}"}}]})") +
               chunk(R"({"tool_calls":[{"id":"b","function":{"name":"y"}}]})") + kDone)
            .calls,
        "a:x{};b:y{};");
    EXPECT_EQ(
        decode(chunk(R"({"tool_calls":[{"index":0,"id":"a","function":{"name":"x"}}]})") +
               chunk(R"({"tool_calls":[{"index":0,"id":"b","function":{"name":"y"}}]})") + kDone)
            .calls,
        "a:x{};b:y{};");
    EXPECT_EQ(decode(chunk(R"({"tool_calls":[{"function":{"name":"x","arguments":{"n":1}}},)"
                           R"({"function":{"name":"y"}}]})") +
                     kDone)
                  .calls,
              "call_1:x{\"n\":1};call_2:y{};");
    EXPECT_EQ(decode(chunk(R"({"function_call":{"name":"x","arguments":"{\"a"}})") +
                     chunk(R"({"function_call":{"arguments":"\":1}"}})") + kStop)
                  .calls,
              "call_1:x{\"a\":1};");
    // An index is not a size.
    EXPECT_EQ(
        decode(
            chunk(R"({"tool_calls":[{"index":900000000000,"id":"a","function":{"name":"x"}}]})") +
            kDone)
            .calls,
        "a:x{};");
    std::string many;
    for (int i = 0; i < 300; ++i) {
        many += chunk("{\"tool_calls\":[{\"index\":" + std::to_string(i) +
                      ",\"function\":{\"name\":\"x\"}}]}");
    }
    EXPECT_EQ(decode(many, {}, [] { return 1000U; }).text,
              "model_bad_answer it has too many tool calls");
}

TEST(ChatStream, FramesOfAllKinds) {
    const std::string plain =
        ": hello\n\nevent: message\nid: 1\nretry: 5\ndata: {\"choices\":\ndata: [{\"delta\":"
        "{\"content\":\"a\"}}]}\n\n" +
        kDone;
    EXPECT_EQ(decode(plain).text, "a");
    EXPECT_EQ(decode("\xEF\xBB\xBF" + says("a") + kDone).text, "a");
    for (const std::string_view end : {"\r\n", "\r"}) {
        std::string other;
        for (const char c : plain) {
            other += c == '\n' ? end : std::string_view(&c, 1);
        }
        EXPECT_EQ(decode(other).text, "a");
    }
    EXPECT_EQ(decode("data:\n\ndata: \n\n" + says("a") + kDone).text, "a");
    // Other choices are not ours.
    EXPECT_EQ(
        decode(
            R"(data: {"choices":[{"index":1,"delta":{"content":"x"}},{"index":0,"delta":{"content":"a"}}]})"
            "\n\n" +
            kDone)
            .text,
        "a");
}

TEST(ChatStream, BrokenCharactersAreJoinedOrRepaired) {
    // Half a character in each delta.
    EXPECT_EQ(decode(says("\xE4\xBD") + says("\xA0\xE5\xA5\xBD") + kDone).text, "你好");
    EXPECT_EQ(decode(says("\xE4\xBD") + says("x") + kDone).text, "\xEF\xBF\xBDx");
    EXPECT_EQ(decode(says("a\xE4\xBD") + kDone).text, "a\xEF\xBF\xBD");
    EXPECT_EQ(decode(says("\xFF\xC0") + kDone).text, text::repair("\xFF\xC0"));
    EXPECT_EQ(decode(says("\\ud83d") + kDone).text, "\xEF\xBF\xBD");
    EXPECT_EQ(decode(says("\\u0000") + kDone).text, std::string(1, '\0'));
    // Characters that stand for bytes inside are characters outside.
    EXPECT_EQ(decode(says("\xF4\x8F\xB8\x80") + kDone).text, "\xF4\x8F\xB8\x80");
    EXPECT_EQ(decode(says("\xF4\x8F\xB9\x80\xFF") + kDone).text, "\xF4\x8F\xB9\x80\xEF\xBF\xBD");
    tests::Random random(7);
    for (int i = 0; i < 200; ++i) {
        std::string stream;
        std::string bytes;
        for (int j = 0; j < 6; ++j) {
            std::string part;
            for (std::size_t k = random.below(4); k > 0; --k) {
                part += random.pick(std::vector<std::string>{
                    "a", "\xE4", "\xBD", "\xA0", "\xF0\x9F", "\x98\x80", "\xC3", "好", "\xED\xA0"});
            }
            bytes += part;
            stream += says(part);
        }
        EXPECT_EQ(decode(stream + kDone, {.may_be_empty = true}).text, text::repair(bytes));
    }
}

TEST(ChatStream, AWholeAnswerIsReadWhateverWasAskedFor) {
    const Outcome outcome = decode(
        R"( {"model":"m","choices":[{"index":0,"message":{"content":"门开了。","reasoning":"r",)"
        R"("tool_calls":[{"id":"a","function":{"name":"x","arguments":"{}"}}]},"finish_reason":"length"}],)"
        R"("usage":{"prompt_tokens":1,"completion_tokens":2}} )");
    EXPECT_EQ(outcome.text, "门开了。");
    EXPECT_EQ(outcome.calls, "a:x{};");
    EXPECT_EQ(outcome.finish, model::Finish::kLength);
    EXPECT_EQ(outcome.usage, (model::Usage{1, 2, false}));
    EXPECT_EQ(decode(R"({"choices":[{"message":{"content":[{"type":"text","text":"a"}]}}]})").text,
              "a");
    const base::Result<> lost = base::fail(ErrorCode::kConnectionLost, {"end"});
    EXPECT_EQ(decode(R"({"choices":[{"message":{"content":"a"}}]})", {.connection = lost}).text,
              "model_cut_off the connection was lost: end");
}

TEST(ChatStream, WrongShapesAreBadAnswers) {
    const auto told = [](std::string_view body) { return decode(body).text; };
    EXPECT_EQ(told(""), "model_bad_answer it is empty");
    EXPECT_EQ(decode("", {.status = 204}).text, "model_bad_answer it is empty: HTTP 204");
    EXPECT_EQ(told("hello"), "model_bad_answer it is not JSON: hello");
    EXPECT_EQ(told("{\"choices\":[{]}"), "model_bad_answer it is not JSON: {\"choices\":[{]}");
    EXPECT_EQ(told("{}"), "model_bad_answer it has no choices: {}");
    EXPECT_EQ(told("{\"choices\":[]}"), "model_bad_answer it has no choices: {\"choices\":[]}");
    EXPECT_EQ(told("[1,2]"), "model_bad_answer it is not an object: [1,2]");
    EXPECT_EQ(told("{\"choices\":3}"), "model_bad_answer choices is not a list: 3");
    EXPECT_EQ(told("{\"choices\":[3]}"), "model_bad_answer a choice is not an object: 3");
    EXPECT_EQ(told("{\"choices\":[{\"message\":3}]}"),
              "model_bad_answer a message is not an object: 3");
    EXPECT_EQ(told("{\"choices\":[{\"message\":{\"content\":3}}]}"),
              "model_bad_answer content is not a text: 3");
    EXPECT_EQ(told(says("a") + "data: {nonsense\n\n" + kDone),
              "model_bad_answer it is not JSON: {nonsense");
    EXPECT_EQ(told("<!DOCTYPE html><html><TITLE>Welcome\nhere</TITLE></html>"),
              "model_refused a web page came instead of an answer: Welcome␊here");
    EXPECT_EQ(told(kStop + kDone), "model_bad_answer it is empty");
    EXPECT_EQ(decode(kStop + kDone, {.may_be_empty = true}).text, "");
    EXPECT_EQ(told(chunk("{}", ",\"finish_reason\":\"length\"")),
              "model_bad_answer the token limit was reached before any text");
}

TEST(ChatStream, LimitsHold) {
    const auto big = [](const std::string& body) {
        return decode(body, {}, [] { return std::size_t{65'536}; }).text;
    };
    const std::string event = says(std::string(base::kSseEventBytesMax + 1, 'x'));
    EXPECT_TRUE(big(event).starts_with("model_bad_answer it is too large")) << big(event);
    std::string body;
    while (body.size() <= base::kTurnTextBytesMax) {
        body += says(std::string(500'000, 'x'));
    }
    EXPECT_EQ(big(body + kDone), "model_bad_answer it is longer than any reply");
    std::string arguments;
    while (arguments.size() <= base::kTurnTextBytesMax) {
        arguments += chunk("{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"" +
                           std::string(500'000, 'x') + "\"}}]}");
    }
    EXPECT_EQ(big(arguments + kDone), "model_bad_answer it is longer than any reply");
    EXPECT_EQ(big("{\"x\":\"" + std::string(base::kJsonBytesMax, 'x')),
              "model_bad_answer it is longer than any reply");
}

TEST(ChatStream, ErrorsInsideAStreamEndIt) {
    const auto told = [](std::string_view error) {
        return decode(says("a") + "data: {\"error\":" + std::string(error) + "}\n\n" + says("b") +
                      kDone)
            .text;
    };
    EXPECT_EQ(told(R"({"message":"slow down","code":429})"), "model_rate_limited slow down");
    EXPECT_EQ(told(R"({"message":"x","type":"rate_limit_error"})"), "model_rate_limited x");
    EXPECT_EQ(told(R"({"message":"x","type":"invalid_request_error"})"), "model_refused x");
    EXPECT_EQ(told(R"({"message":"x","code":"invalid_api_key"})"), "model_key x");
    EXPECT_EQ(told(R"({"message":"x","type":"overloaded_error"})"), "model_overloaded x");
    EXPECT_EQ(told(R"({"message":"x","code":"502"})"), "model_overloaded x");
    EXPECT_EQ(told(R"("plain")"), "model_overloaded plain");
    EXPECT_EQ(told(R"({"code":"context_length_exceeded","message":"x"})"), "model_too_long x");
    EXPECT_EQ(decode(says("a") + "event: error\ndata: it broke\n\n").text,
              "model_overloaded it broke");
    EXPECT_EQ(decode(R"({"object":"error","message":"no","code":400})").text, "model_refused no");
    EXPECT_EQ(
        decode(
            says("a") +
            R"(data: {"choices":[{"error":{"message":"no","code":502},"finish_reason":"error"}]})"
            "\n\n")
            .text,
        "model_overloaded no");
    EXPECT_EQ(decode(chunk("{}", ",\"finish_reason\":\"abort\"")).text,
              "model_cut_off the server stopped the answer");
    EXPECT_EQ(decode(chunk("{}", ",\"finish_reason\":\"content_filter\"")).text,
              "model_refused content_filter");
    EXPECT_EQ(decode(chunk(R"({"refusal":"I will not."})") + kStop).text,
              "model_refused I will not");
}

TEST(ChatStream, StatusesAreErrors) {
    const auto told = [](int status, std::string_view body, net::Headers headers = {}) {
        return decode(body, {.status = status, .headers = std::move(headers)}).text;
    };
    const std::string_view json = R"({"error":{"message":"why","type":"t"}})";
    EXPECT_EQ(told(400, json), "model_refused HTTP 400: why");
    EXPECT_EQ(told(401, json), "model_key HTTP 401: why");
    EXPECT_EQ(told(403, json), "model_key HTTP 403: why");
    EXPECT_EQ(told(404, "<html><title>404 Not Found</title>"),
              "model_refused HTTP 404: 404 Not Found");
    EXPECT_EQ(told(408, ""), "model_timeout HTTP 408");
    EXPECT_EQ(told(422, R"({"detail":[{"loc":["body"],"msg":"field required"}]})"),
              "model_refused HTTP 422: field required");
    EXPECT_EQ(told(429, json), "model_rate_limited HTTP 429: why");
    for (const int status : {500, 502, 503, 504, 529}) {
        EXPECT_EQ(told(status, "busy"),
                  "model_overloaded HTTP " + std::to_string(status) + ": busy");
    }
    EXPECT_EQ(
        told(400, R"({"error":{"message":"This model's maximum context length is 4096 tokens"}})"),
        "model_too_long HTTP 400: This model's maximum context length is 4096 tokens");
    EXPECT_EQ(told(400, R"({"error":{"type":"exceed_context_size_error","message":"x"}})"),
              "model_too_long HTTP 400: x");
    EXPECT_EQ(told(302, "", {{"location", "http://10.0.0.1/"}}),
              "model_refused the server redirects to another address: http://10.0.0.1/");
    EXPECT_EQ(told(418, ""), "model_refused HTTP 418");
    // The seconds of Retry-After are the second argument.
    const net::ResponseHead head{429, "", {{"retry-after", "12"}}};
    EXPECT_EQ(error_of_answer(head, "", "").arguments[1], "12");
    EXPECT_EQ(retry_after({{"retry-after", "Wed, 21 Oct 2026 07:28:00 GMT"}}), std::nullopt);
    EXPECT_EQ(retry_after({{"retry-after", "-1"}}), std::nullopt);
    EXPECT_EQ(retry_after({{"retry-after", "1.5"}}), 1);
}

// proves: S12
TEST(ChatStream, TheKeyIsNeverRepeated) {
    const std::string key(kSecret);
    for (const std::string& body :
         {R"({"error":{"message":"Incorrect API key provided: )" + key + R"(."}})",
          "bad key " + key, "<title>" + key + "</title>", key,
          R"({"detail":"Bearer )" + key + R"("})", key.substr(0, 18) + "…" + key.substr(8)}) {
        for (const int status : {200, 302, 401, 500}) {
            (void)decode(body, {.status = status, .headers = {{"location", "/?k=" + key}}});
        }
        (void)decode("event: error\ndata: " + body + "\n\n");
        (void)decode(says("a") + "data: " + body + "\n\n");
    }
    EXPECT_EQ(redact("x " + key + " y", key), "x *** y");
    EXPECT_EQ(redact("it is sk-canary-0123 and more", key), "it is *** and more");
    EXPECT_EQ(redact("sk-canary is short", key), "sk-canary is short");
    EXPECT_EQ(redact("abc", "b"), "a***c");
    EXPECT_EQ(redact("abc", ""), "abc");
    // Cut in the middle of the key.
    EXPECT_FALSE(quote(std::string(kQuoteBytesMax - 8, ' ') + "x" + key, key).contains("canary"));
}

// Goal: arguments of errors are in the language of the reader.
TEST(ChatStream, ErrorsAreToldInBothLanguages) {
    const base::Error error(ErrorCode::kModelBadAnswer, {"it is not JSON: <x>"});
    EXPECT_TRUE(base::explain(error, base::Language::kChinese).contains("不是 JSON：<x>"));
    EXPECT_TRUE(base::explain(error, base::Language::kEnglish).contains("it is not JSON: <x>"));
}

// Goal: an event that is read by its likeness to the one before means what parsing it would mean.
// Method: random streams, and the same streams with a number of its own in every event, which makes
// all of them unlike each other.
TEST(ChatStream, EventsThatAreAlikeAreReadAsIfEachWereParsed) {
    const std::vector<std::string> events = {
        R"("choices":[{"index":0,"delta":{"content":"门"},"finish_reason":null}])",
        R"("choices":[{"index":0,"delta":{"content":"开了"},"finish_reason":null}])",
        R"("choices":[{"index":0,"delta":{"content":""},"finish_reason":null}])",
        R"("choices":[{"index":0,"delta":{"content":"a\nb"},"finish_reason":null}])",
        R"("choices":[{"index":0,"delta":{"content":"a\"},"finish_reason":null}])",
        R"("choices":[{"index":0,"delta":{"content":"x","refusal":"no"},"finish_reason":null}])",
        "\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\xE4\xBD\"},\"finish_reason\":null}]",
        "\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\xA0\"},\"finish_reason\":null}]",
        "\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\t\"},\"finish_reason\":null}]",
        R"("choices":[{"index":1,"delta":{"content":"门"},"finish_reason":null}])",
        R"("choices":[{"index":0,"delta":{"content":"门"},"finish_reason":"length"}])",
        R"("choices":[{"index":0,"delta":{"content":"门"}},{"index":1,"delta":{"content":"b"}}])",
        R"("choices":[{"index":0,"delta":{"reasoning":"r","content":"门"},"finish_reason":null}])",
        R"("choices":[{"index":0,"delta":{"content":"门","content":"窗"},"finish_reason":null}])",
        R"("choices":[{"index":0,"delta":{"content": "门"},"x":"content","finish_reason":null}])",
        R"("choices":[{"index":0,"message":{"content":"门"},"finish_reason":null}])",
        R"("choices":[{"index":0,"delta":{"content":"门"}}],"usage":{"prompt_tokens":4})",
        R"("choices":[{"index":0,"delta":{"content":["门"]},"finish_reason":null}])",
        R"("choices":[{"index":0,"delta":{"tool_calls":[{"function":{"name":"t"}}]}}])"};
    tests::Random random(7);
    std::size_t replies = 0;
    for (int i = 0; i < 2000; ++i) {
        std::string alike;
        std::string unlike;
        for (std::size_t j = 1 + random.below(12); j > 0; --j) {
            // Mostly text, as streams are.
            const std::string& event =
                random.chance(70) ? events[random.below(2)] : random.pick(events);
            const std::string name = random.chance(3) ? "event: other\n" : "";
            alike += name + "data: {" + event + "}\n\n";
            unlike += name + "data: {\"n\":" + std::to_string(j) + "," + event + "}\n\n";
        }
        const auto whole = [] { return std::string::npos; };
        const Outcome outcome = decode(alike + kDone, {}, whole);
        Outcome expected = decode(unlike + kDone, {}, whole);
        if (expected.text.starts_with("model_bad_answer")) {
            EXPECT_TRUE(outcome.text.starts_with("model_bad_answer")) << alike;
            expected.text = outcome.text;  // quotes the event
        }
        EXPECT_EQ(outcome, expected) << alike;
        replies += outcome.text.starts_with("model_") ? 0U : 1U;
    }
    EXPECT_GT(replies, 1000U);
}

// Goal: any bytes end in an outcome that does not depend on their split.
TEST(ChatStream, RandomBytes) {
    const std::vector<std::string> parts = {"data: ",
                                            "{\"choices\":[",
                                            "{\"delta\":{\"content\":\"",
                                            "a",
                                            "\"}}",
                                            "]}",
                                            "\n\n",
                                            "\n",
                                            "\r",
                                            "[DONE]",
                                            "{\"error\":\"x\"}",
                                            "event: error",
                                            ":",
                                            "null",
                                            "\xE4",
                                            "\xBD\xA0",
                                            std::string(1, '\0'),
                                            "\"finish_reason\":\"stop\"",
                                            ",",
                                            "{",
                                            "<",
                                            says("b"),
                                            kStop,
                                            kDone,
                                            "\xEF\xBB\xBF"};
    tests::Random random(3);
    for (int i = 0; i < 500; ++i) {
        std::string body;
        for (std::size_t j = random.below(20); j > 0; --j) {
            body += random.pick(parts);
        }
        (void)decode(body, {.status = random.chance(90) ? 200 : 500, .may_be_empty = true});
    }
}

}  // namespace
}  // namespace arbiter::openai
