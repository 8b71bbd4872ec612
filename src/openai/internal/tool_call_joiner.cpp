#include "openai/internal/tool_call_joiner.h"

#include <algorithm>
#include <ranges>

#include "text/utf8.h"

namespace arbiter::openai::internal {

ToolCallJoiner::Open* ToolCallJoiner::find(const ToolCallFragment& fragment) {
    // The last one with the index: an earlier call of the same index is complete.
    const auto found = std::ranges::find_if(std::views::reverse(calls_), [&](const Open& each) {
        return !fragment.index || each.index == fragment.index;
    });
    if (found == calls_.rend()) {
        return nullptr;
    }
    const bool is_other =
        !fragment.id.empty() && !found->call.id.empty() && found->call.id != fragment.id;
    // Without index and id, a name begins a call.
    const bool begins = !fragment.index && fragment.id.empty() && !fragment.name.empty();
    return is_other || begins ? nullptr : &*found;
}

bool ToolCallJoiner::add(ToolCallFragment fragment) {
    Open* open = find(fragment);
    if (open == nullptr) {
        if (calls_.size() >= kCallsMax) {
            return false;
        }
        open = &calls_.emplace_back(fragment.index, prompt::NativeToolCall{"", "", ""});
    }
    if (open->call.id.empty()) {
        open->call.id = std::move(fragment.id);
    }
    // Some servers repeat the name with every fragment.
    if (open->call.name.empty()) {
        open->call.name = std::move(fragment.name);
    }
    open->call.arguments += fragment.arguments;
    return true;
}

std::vector<prompt::NativeToolCall> ToolCallJoiner::take() {
    std::vector<prompt::NativeToolCall> calls;
    for (Open& each : calls_) {
        prompt::NativeToolCall& call = each.call;
        call.id = call.id.empty() ? "call_" + std::to_string(calls.size() + 1)
                                  : text::to_utf8(std::move(call.id));
        call.name = text::to_utf8(std::move(call.name));
        call.arguments = call.arguments.empty() ? "{}" : text::to_utf8(std::move(call.arguments));
        calls.push_back(std::move(call));
    }
    calls_.clear();
    return calls;
}

}  // namespace arbiter::openai::internal
