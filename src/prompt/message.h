// Message: one message of a conversation with a model, as the prompt, the model and the campaign's
// history use it.
//
// Plain data, cheap to copy: the content is shared, not duplicated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "value/str.h"
#include "value/value.h"

namespace arbiter::prompt {

enum class Role : std::uint8_t { kSystem, kUser, kAssistant, kTool };
std::string_view name(Role role) noexcept;  // "system", "user", "assistant", "tool"
std::optional<Role> find_role(std::string_view name) noexcept;

// A tool call beside the text of a reply, in the form of chat completion APIs. The arguments are
// text, because a model may write invalid JSON there; proposal::ToolCall is the parsed call.
struct NativeToolCall {
    std::string id;
    std::string name;
    std::string arguments = "{}";
    friend bool operator==(const NativeToolCall&, const NativeToolCall&) = default;
};

struct Message {
    Role role = Role::kUser;
    value::Str content;
    std::string name = {};                        // of the speaker; empty: none
    std::size_t tokens = 0;                       // of the content; 0: not counted
    bool begins_turn = false;                     // the first message of a committed turn
    std::vector<NativeToolCall> tool_calls = {};  // of an assistant's message
    std::string tool_call_id = {};                // of Role::kTool: the call that this answers
    // The content in parts (text, images …) as a client wrote it; null: there is only the text.
    value::Value parts = {};
    friend bool operator==(const Message&, const Message&) = default;
};

}  // namespace arbiter::prompt
