#include "openai/chat_request.h"

#include <algorithm>

#include "text/ascii.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::openai {
namespace {

using prompt::Message;
using prompt::Role;
using value::Array;
using value::Object;
using value::Value;

// Servers refuse other names of speakers; the content says who speaks there.
bool is_name(std::string_view name) {
    constexpr std::size_t kNameMax = 64;
    return !name.empty() && name.size() <= kNameMax && std::ranges::all_of(name, [](char c) {
        return text::is_letter(c) || text::is_digit(c) || c == '_' || c == '-';
    });
}

Value call_value(const prompt::NativeToolCall& call) {
    return Object{{"id", std::string_view(call.id)},
                  {"type", "function"},
                  {"function", Object{{"name", std::string_view(call.name)},
                                      {"arguments", std::string_view(call.arguments)}}}};
}

void append_member(std::string& out, std::string_view key, std::string_view text) {
    out += out.back() == '{' ? "\"" : ",\"";
    out += key;
    out += "\":";
    value::append_json_string(out, text);
}

void append_message(std::string& out, const Message& message) {
    out += '{';
    append_member(out, "role", prompt::name(message.role));
    const bool is_call = message.role != Role::kTool && !message.tool_calls.empty();
    if (is_call && message.content.view().empty()) {
        out += R"(,"content":null)";
    } else if (message.parts.is_null()) {
        append_member(out, "content", message.content);
    } else {
        out += R"(,"content":)";
        value::append_json(out, message.parts);
    }
    if (message.role == Role::kTool) {
        append_member(out, "tool_call_id", message.tool_call_id);
    } else if (is_name(message.name)) {
        append_member(out, "name", message.name);
    }
    if (is_call) {
        Array calls;
        for (const prompt::NativeToolCall& call : message.tool_calls) {
            calls = std::move(calls).push_back(call_value(call));
        }
        out += R"(,"tool_calls":)";
        value::append_json(out, Value(calls));
    }
    out += '}';
}

// Straight into the text: as values, they would be most of the work.
void append_messages(std::string& out, const std::vector<Message>& messages) {
    std::size_t bytes = out.size();
    for (const Message& message : messages) {
        constexpr std::size_t kFrameBytes = 64;
        bytes += message.content.view().size() + kFrameBytes;
    }
    out.reserve(bytes);
    out += '[';
    for (const Message& message : messages) {
        if (&message != &messages.front()) {
            out += ',';
        }
        append_message(out, message);
    }
    out += ']';
}

Value tool_value(const table::ToolSchema& tool) {
    return Object{{"type", "function"},
                  {"function", Object{{"name", std::string_view(tool.name)},
                                      {"description", std::string_view(tool.description)},
                                      {"parameters", tool.parameters}}}};
}

Object with_sampling(Object body, const model::Sampling& sampling) {
    const auto set = [&](std::string_view key, const auto& member) {
        if (member) {
            body = std::move(body).set(key, *member);
        }
    };
    set("temperature", sampling.temperature);
    set("top_p", sampling.top_p);
    set("presence_penalty", sampling.presence_penalty);
    set("frequency_penalty", sampling.frequency_penalty);
    set("max_tokens", sampling.tokens_max);
    if (!sampling.stop.empty()) {
        Array stop;
        for (const std::string& each : sampling.stop) {
            stop = std::move(stop).push_back(std::string_view(each));
        }
        body = std::move(body).set("stop", std::move(stop));
    }
    return body;
}

}  // namespace

std::string print_chat_request(const model::Request& request, const ChatRequestOptions& options) {
    Object body = request.sampling.more;
    if (!options.model.empty()) {
        body = std::move(body).set("model", std::string_view(options.model));
    }
    constexpr std::string_view kMessages = "messages";
    body = std::move(body).set(kMessages, nullptr);  // printed in this place
    if (!request.tools.empty()) {
        Array tools;
        for (const table::ToolSchema& tool : request.tools) {
            tools = std::move(tools).push_back(tool_value(tool));
        }
        body = std::move(body).set("tools", std::move(tools));
    }
    body = with_sampling(std::move(body), request.sampling);
    if (request.seed) {
        body = std::move(body).set("seed", *request.seed);
    }
    body = std::move(body).set("stream", options.is_streamed);
    if (options.is_streamed && options.asks_for_usage) {
        body = std::move(body).set("stream_options", Object{{"include_usage", true}});
    } else {
        body = std::move(body).erase("stream_options");
    }
    std::string out = "{";
    for (const auto& [key, member] : body) {
        if (out.size() > 1) {
            out += ',';
        }
        value::append_json_string(out, key);
        out += ':';
        if (key.view() == kMessages) {
            append_messages(out, request.messages);
        } else {
            value::append_json(out, member);
        }
    }
    out += '}';
    return out;
}

}  // namespace arbiter::openai
