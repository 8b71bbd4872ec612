// ToolCallJoiner: tool calls from their fragments.
//
// A fragment names its call by `index`. Servers that leave it out, or send 0 for every call, begin
// a new call with a new id.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "prompt/message.h"

namespace arbiter::openai::internal {

struct ToolCallFragment {
    std::optional<std::int64_t> index = {};
    std::string id = {};
    std::string name = {};
    std::string arguments = {};
};

class ToolCallJoiner {
  public:
    // Calls of one reply: four times as many as a turn executes (base::kToolCallsMax).
    static constexpr std::size_t kCallsMax = 256;

    // Returns false if there are too many calls.
    bool add(ToolCallFragment fragment);
    [[nodiscard]] bool empty() const noexcept { return calls_.empty(); }
    // All calls in the order of their first fragments. A call without an id gets one; arguments
    // that were left out are {}.
    std::vector<prompt::NativeToolCall> take();

  private:
    struct Open {
        std::optional<std::int64_t> index;
        prompt::NativeToolCall call;
    };
    Open* find(const ToolCallFragment& fragment);

    std::vector<Open> calls_;
};

}  // namespace arbiter::openai::internal
