#include "model/model.h"

#include "text/utf8.h"
#include "value/json.h"

namespace arbiter::model {
namespace {

using base::ErrorCode;

// What frames a message or a tool in a prompt.
constexpr std::int64_t kFrameTokens = 4;

std::int64_t tokens_of(const std::vector<ToolCall>& calls) noexcept {
    std::int64_t tokens = 0;
    for (const ToolCall& call : calls) {
        tokens += kFrameTokens + estimate_tokens(call.name) + estimate_tokens(call.arguments);
    }
    return tokens;
}

}  // namespace

std::string_view name(Role role) noexcept {
    switch (role) {
        case Role::kSystem:
            return "system";
        case Role::kUser:
            return "user";
        case Role::kAssistant:
            return "assistant";
        case Role::kTool:
            return "tool";
    }
    return "";
}

std::string_view name(Finish finish) noexcept {
    switch (finish) {
        case Finish::kStop:
            return "stop";
        case Finish::kLength:
            return "length";
        case Finish::kToolCalls:
            return "tool_calls";
        case Finish::kFilter:
            return "content_filter";
    }
    return "";
}

bool may_help_to_retry(ErrorCode code) noexcept {
    return code == ErrorCode::kModelRateLimited || code == ErrorCode::kModelOverloaded ||
           code == ErrorCode::kModelTimeout || code == ErrorCode::kModelUnreachable ||
           code == ErrorCode::kModelCutOff;
}

std::int64_t estimate_tokens(std::string_view text) noexcept {
    std::int64_t ascii = 0;
    std::int64_t other = 0;
    for (std::size_t at = 0; at < text.size();) {
        const text::Decoded next = text::decode(text.substr(at, 4));
        (next.size == 1 && next.valid ? ascii : other) += 1;
        at += next.size;
    }
    return (ascii + 3) / 4 + other;
}

std::int64_t estimate_tokens(const Request& request) noexcept {
    std::int64_t tokens = 0;
    for (const Message& message : request.messages) {
        tokens += kFrameTokens + estimate_tokens(message.content) + estimate_tokens(message.name) +
                  tokens_of(message.tool_calls);
    }
    for (const Tool& tool : request.tools) {
        tokens += kFrameTokens + estimate_tokens(tool.name) + estimate_tokens(tool.description) +
                  estimate_tokens(value::print_json(tool.parameters));
    }
    return tokens;
}

std::int64_t estimate_tokens(const Reply& reply) noexcept {
    return estimate_tokens(reply.text) + estimate_tokens(reply.reasoning) +
           tokens_of(reply.tool_calls);
}

}  // namespace arbiter::model
