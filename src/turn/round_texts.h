// Texts to the model between the rounds of an attempt.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "prompt/message.h"
#include "table/tool.h"
#include "turn/attempt.h"

namespace arbiter::turn {

// A round that is over.
struct RoundOfMessages {
    std::string_view raw;
    std::span<const prompt::NativeToolCall> tool_calls;
    std::size_t first_native = 0;  // index of its first native call among the proposals
    std::size_t results_told = 0;  // tool results of the attempt that the model knows already
};
// The reply, the answers to its native calls, and one message with the results of calls in its
// text.
std::vector<prompt::Message> messages_of(const RoundOfMessages& round, const Attempt& attempt,
                                         const table::ToolRegistry& tools, base::Language language);

// Of Mode::kResolveFirst: the first request asks only for calls and commands, the second one for
// the narration of what was settled since the document `before`. What is hidden from the model is
// masked.
base::TextView settling_request() noexcept;
std::string telling_request(const Attempt& attempt, const value::Value& before,
                            const table::ToolRegistry& tools, base::Language language);

}  // namespace arbiter::turn
