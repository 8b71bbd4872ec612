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

Value message_value(const Message& message) {
    Object object{{"role", prompt::name(message.role)},
                  {"content", message.parts.is_null() ? Value(message.content) : message.parts}};
    if (message.role == Role::kTool) {
        return std::move(object).set("tool_call_id", std::string_view(message.tool_call_id));
    }
    if (is_name(message.name)) {
        object = std::move(object).set("name", std::string_view(message.name));
    }
    if (!message.tool_calls.empty()) {
        Array calls;
        for (const prompt::NativeToolCall& call : message.tool_calls) {
            calls = std::move(calls).push_back(call_value(call));
        }
        object = std::move(object).set("tool_calls", std::move(calls));
        if (message.content.view().empty()) {
            object = std::move(object).set("content", nullptr);
        }
    }
    return object;
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
    Array messages;
    for (const Message& message : request.messages) {
        messages = std::move(messages).push_back(message_value(message));
    }
    body = std::move(body).set("messages", std::move(messages));
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
    return value::print_json(body);
}

}  // namespace arbiter::openai
