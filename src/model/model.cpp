#include "model/model.h"

#include "prompt/sources.h"
#include "text/tokens.h"

namespace arbiter::model {
namespace {

using base::ErrorCode;

// Tokens of the frame of a message or a call.
constexpr std::int64_t kFrameTokens = 4;

std::int64_t tokens_of(std::string_view text) noexcept {
    return static_cast<std::int64_t>(text::estimate_tokens(text));
}

std::int64_t tokens_of(const std::vector<prompt::NativeToolCall>& calls) noexcept {
    std::int64_t tokens = 0;
    for (const prompt::NativeToolCall& call : calls) {
        tokens += kFrameTokens + tokens_of(call.name) + tokens_of(call.arguments);
    }
    return tokens;
}

}  // namespace

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

std::int64_t estimate_tokens(const Request& request) noexcept {
    std::int64_t tokens = 0;
    for (const prompt::Message& message : request.messages) {
        tokens += kFrameTokens + tokens_of(message.content) + tokens_of(message.name) +
                  tokens_of(message.tool_calls);
    }
    return tokens + static_cast<std::int64_t>(prompt::tokens_of(request.tools));
}

std::int64_t estimate_tokens(const Reply& reply) noexcept {
    return tokens_of(reply.text) + tokens_of(reply.reasoning) + tokens_of(reply.tool_calls);
}

}  // namespace arbiter::model
