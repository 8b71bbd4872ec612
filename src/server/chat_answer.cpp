#include "server/chat_answer.h"

#include "base/explain.h"
#include "base/messages.h"
#include "server/errors.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::server {

using base::Error;
using value::Array;
using value::Object;
using value::Value;

namespace {

std::string_view type_of(int status) noexcept {
    if (status == 401) {
        return "authentication_error";
    }
    if (status == 403) {
        return "permission_error";
    }
    if (status == 404) {
        return "not_found_error";
    }
    if (status == 429) {
        return "rate_limit_error";
    }
    return status < 500 ? "invalid_request_error" : "server_error";
}

// A request that the model server refused is refused by us too.
int chat_status_of(base::ErrorCode code) noexcept {
    switch (code) {
        case base::ErrorCode::kModelKey:
            return 401;
        case base::ErrorCode::kModelRefused:
        case base::ErrorCode::kModelTooLong:
            return 400;
        default:
            return status_of(code);
    }
}

Object error_of(const Error& error) {
    return {{"message", std::string_view(base::explain(error, base::Language::kEnglish))},
            {"type", type_of(chat_status_of(error.code))},
            {"code", base::name(error.code)},
            {"param", nullptr}};
}

// A reason phrase is one line of visible ASCII; other text in it is left out.
std::string phrase_of(std::string_view message) {
    constexpr std::size_t kPhraseMax = 160;
    constexpr std::string_view kLeftOut = "...";
    std::string phrase;
    for (const char c : message) {
        if (phrase.size() >= kPhraseMax) {
            break;
        }
        if (c >= ' ' && c < 0x7F) {
            phrase += c;
        } else if (!phrase.ends_with(kLeftOut)) {
            phrase += kLeftOut;
        }
    }
    return phrase;
}

Array calls_of(const std::vector<prompt::NativeToolCall>& calls) {
    Array made;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        made = std::move(made).push_back(
            Object{{"index", static_cast<std::int64_t>(i)},
                   {"id", std::string_view(calls[i].id)},
                   {"type", "function"},
                   {"function", Object{{"name", std::string_view(calls[i].name)},
                                       {"arguments", std::string_view(calls[i].arguments)}}}});
    }
    return made;
}

}  // namespace

net::Response chat_error_response(const Error& error) {
    net::Response response = error_response(error);
    response.status = chat_status_of(error.code);
    const Object told = error_of(error);
    response.body = value::print_json(Value(Object{{"error", told}}));
    response.reason = phrase_of(told.find("message")->as_string());
    return response;
}

ChatAnswer::ChatAnswer(std::shared_ptr<net::Exchange> exchange, ChatAnswerOptions options)
    : exchange_(std::move(exchange)), options_(std::move(options)) {}

Object ChatAnswer::frame(std::string_view object) const {
    return {{"id", std::string_view(options_.id)},
            {"object", object},
            {"created", options_.created},
            {"model", std::string_view(options_.model)}};
}

Object ChatAnswer::usage_of(const model::Usage& usage) {
    return {{"prompt_tokens", usage.prompt},
            {"completion_tokens", usage.completion},
            {"total_tokens", usage.prompt + usage.completion}};
}

void ChatAnswer::prepare() {
    if (!before_delta_.empty() || !options_.is_streamed) {
        return;
    }
    constexpr std::size_t kUsualBytes = 256;
    std::string made;
    made.reserve(kUsualBytes);
    made += R"(data: {"id":)";
    value::append_json_string(made, options_.id);
    made += R"(,"object":"chat.completion.chunk","created":)";
    made += std::to_string(options_.created);
    made += R"(,"model":)";
    value::append_json_string(made, options_.model);
    made += R"(,"choices":[{"index":0,"delta":{)";
    before_delta_.assign(made);  // a stream may stay open for a long time: in a buffer of its size
}

std::string_view ChatAnswer::after_delta() const noexcept {
    return options_.asks_for_usage ? "},\"finish_reason\":null}],\"usage\":null}\n\n"
                                   : "},\"finish_reason\":null}]}\n\n";
}

void ChatAnswer::append_event(std::string& out, std::string_view delta) {
    prepare();
    out.reserve(out.size() + before_delta_.size() + delta.size() + after_delta().size());
    out += before_delta_;
    out += delta;
    out += after_delta();
}

void ChatAnswer::append_text(std::string& out, std::string_view text) {
    prepare();
    constexpr std::string_view kContent = R"("content":)";
    constexpr std::size_t kEscapes = 16;  // that a short text may have
    out.reserve(out.size() + before_delta_.size() + kContent.size() + text.size() + kEscapes +
                after_delta().size());
    out += before_delta_;
    out += kContent;
    value::append_json_string(out, text);
    out += after_delta();
}

void ChatAnswer::append_last(std::string& out, const ChatEnd& end) {
    prepare();
    out += before_delta_;
    out += R"(},"finish_reason":)";
    value::append_json_string(out, end.finish);
    out += "}]";
    if (options_.asks_for_usage) {
        out += R"(,"usage":null)";
    }
    if (!end.turn.empty()) {
        out += R"(,"arbiter":{"turn":)";
        value::append_json_string(out, end.turn);
        out += '}';
    }
    out += "}\n\n";
}

void ChatAnswer::send(std::string_view data) {
    exchange_->send("data: " + std::string(data) + "\n\n");
}

// With the first piece of text: one write for all.
void ChatAnswer::begin(std::string_view first) {
    if (!options_.is_streamed || has_begun_) {
        return;
    }
    has_begun_ = true;
    net::Response head = stream_head();
    append_event(head.body, R"("role":"assistant","content":"")");
    if (!first.empty()) {
        append_text(head.body, first);
    }
    exchange_->begin_stream(std::move(head));
    keep_alive_.emplace(exchange_);
}

void ChatAnswer::text(std::string_view text) {
    if (text.empty()) {
        return;
    }
    sent_ += text;
    if (!options_.is_streamed) {
        return;
    }
    if (has_begun_) {
        std::string event;
        append_text(event, text);
        exchange_->send(event);
    } else {
        begin(text);
    }
}

void ChatAnswer::restart() {
    if (!options_.is_streamed) {
        sent_.clear();
    }
}

void ChatAnswer::end(const ChatEnd& end) {
    if (!options_.is_streamed) {
        Object message{{"role", "assistant"}, {"content", std::string_view(sent_)}};
        if (!end.tool_calls.empty()) {
            message = std::move(message).set("tool_calls", calls_of(end.tool_calls));
        }
        const Object body =
            frame("chat.completion")
                .set("choices", Array{Object{{"index", 0},
                                             {"message", std::move(message)},
                                             {"finish_reason", std::string_view(end.finish)}}})
                .set("usage", usage_of(end.usage));
        net::Response response;
        response.headers.add("Content-Type", "application/json");
        response.body = value::print_json(Value(body));
        exchange_->respond(std::move(response));
        return;
    }
    begin();
    keep_alive_.reset();
    std::string events;
    if (!end.tool_calls.empty()) {
        append_event(events,
                     R"("tool_calls":)" + value::print_json(Value(calls_of(end.tool_calls))));
    }
    append_last(events, end);
    exchange_->send(events);
    if (options_.asks_for_usage) {
        send(value::print_json(Value(frame("chat.completion.chunk")
                                         .set("choices", Array())
                                         .set("usage", usage_of(end.usage)))));
    }
    send("[DONE]");
    exchange_->end();
}

void ChatAnswer::fail(const Error& error) {
    if (!has_begun_) {
        exchange_->respond(chat_error_response(error));
        return;
    }
    keep_alive_.reset();
    send(value::print_json(Value(Object{{"error", error_of(error)}})));
    send("[DONE]");
    exchange_->end();
}

}  // namespace arbiter::server
