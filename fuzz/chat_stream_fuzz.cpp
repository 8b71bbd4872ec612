// Any bytes as the answer of a model server: however they are cut, the pieces and the outcome are
// the same; pieces are valid UTF-8 and join to the reply; no error holds the key. The twin: a reply
// that came as a stream is the same when it comes as one JSON body.
//
// The first byte chooses the status, how the body is cut, and how the connection ends.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/explain.h"
#include "openai/chat_stream.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/json.h"

using namespace arbiter;

namespace {

constexpr std::string_view kSecret = "sk-0123456789";

struct Decoded {
    base::Result<model::Reply> reply = base::fail(base::ErrorCode::kModelCutOff);
    std::string text;
    std::string reasoning;
};

Decoded decode(std::string_view body, int status, const base::Result<>& connection,
               std::uint32_t cut) {
    openai::ChatDecoder decoder({.status = status, .reason = {}, .headers = {}},
                                {.secret = std::string(kSecret), .may_be_empty = true});
    Decoded decoded;
    const auto keep = [&](const model::Piece& piece) {
        CHECK(!piece.text.empty() && text::is_valid(piece.text));
        (piece.kind == model::Piece::Kind::kText ? decoded.text : decoded.reasoning) += piece.text;
    };
    std::uint32_t state = cut;
    while (!body.empty()) {
        state = state * 1664525U + 1013904223U;
        const std::size_t size = cut == 0 ? body.size() : 1 + (state >> 24) % (cut * 2);
        (void)decoder.feed(body.substr(0, size), keep);
        body.remove_prefix(std::min(size, body.size()));
    }
    decoded.reply = decoder.finish(connection, keep);
    return decoded;
}

bool is_same(const model::Reply& a, const model::Reply& b) {
    return a.text == b.text && a.reasoning == b.reasoning && a.tool_calls == b.tool_calls &&
           a.finish == b.finish && a.usage == b.usage && a.model == b.model;
}

// The reply as a server would send it without a stream.
std::string print_whole(const model::Reply& reply) {
    value::Array calls;
    for (const prompt::NativeToolCall& call : reply.tool_calls) {
        calls = std::move(calls).push_back(value::Object{
            {"id", std::string_view(call.id)},
            {"function", value::Object{{"name", std::string_view(call.name)},
                                       {"arguments", std::string_view(call.arguments)}}}});
    }
    const value::Object message{{"content", std::string_view(reply.text)},
                                {"reasoning", std::string_view(reply.reasoning)},
                                {"tool_calls", std::move(calls)}};
    const value::Object choice{{"message", message}, {"finish_reason", name(reply.finish)}};
    const value::Object usage{{"prompt_tokens", reply.usage.prompt},
                              {"completion_tokens", reply.usage.completion}};
    return value::print_json(value::Object{{"model", std::string_view(reply.model)},
                                           {"choices", value::Array{value::Value(choice)}},
                                           {"usage", usage}});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::string_view body(reinterpret_cast<const char*>(data + 1), size - 1);
    const int status = (data[0] & 0x80) != 0 ? 429 : 200;
    base::Result<> connection;
    if ((data[0] & 0x40) != 0) {
        connection = base::fail(base::ErrorCode::kConnectionLost, {"reset"});
    }
    const Decoded whole = decode(body, status, connection, 0);
    const Decoded split = decode(body, status, connection, 1 + (data[0] & 0x3FU));
    CHECK(whole.text == split.text && whole.reasoning == split.reasoning);
    CHECK(whole.reply.has_value() == split.reply.has_value());
    if (!whole.reply) {
        CHECK(whole.reply.error() == split.reply.error());
        for (const auto language : {base::Language::kEnglish, base::Language::kChinese}) {
            const std::string told = base::explain(whole.reply.error(), language);
            CHECK(text::is_valid(told) && !told.contains(kSecret));
        }
        return 0;
    }
    CHECK(is_same(*whole.reply, *split.reply));
    CHECK(whole.reply->text == whole.text && whole.reply->reasoning == whole.reasoning);
    model::Reply expected = *whole.reply;
    expected.usage.estimated = false;
    // An empty reply that was cut off by a filter or the token limit is an error in both forms.
    const Decoded twin = decode(print_whole(expected), 200, {}, 0);
    CHECK(twin.reply && is_same(*twin.reply, expected));
    return 0;
}
