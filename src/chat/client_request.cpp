#include "chat/client_request.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "value/array.h"

namespace arbiter::chat {

using base::ErrorCode;
using base::Result;
using prompt::Message;
using value::Array;
using value::Object;
using value::Value;

namespace {

// Members that are read here, or that are ours to set.
constexpr std::string_view kTaken[] = {"messages", "stream", "stream_options",
                                       "tools",    "n",      "arbiter"};

std::string_view text_in(const Value* value) {
    return value != nullptr && value->is_string() ? value->as_string() : std::string_view();
}

std::optional<std::size_t> number_of(std::string_view text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = error == std::errc() && end == text.data() + text.size();
    return is_whole && !text.empty() ? std::optional(number) : std::nullopt;
}
std::optional<std::size_t> number_in(const Value* value) {
    if (value != nullptr && value->is_int() && value->as_int() >= 0) {
        return static_cast<std::size_t>(value->as_int());
    }
    return number_of(text_in(value));
}

// The texts of content in parts.
std::string joined_text(const Array& parts) {
    std::string text;
    for (const Value& part : parts) {
        const std::string_view one =
            part.is_string() ? part.as_string() : text_in(value::find_member(&part, "text"));
        text += (text.empty() || one.empty() ? "" : "\n") + std::string(one);
    }
    return text;
}

Result<Message> message_of(const Value& written) {
    const std::string_view role = text_in(value::find_member(&written, "role"));
    Message message;
    // "developer" is the name of newer interfaces for system messages; "function" that of older
    // ones for tools.
    const std::string_view known = role == "developer"  ? std::string_view("system")
                                   : role == "function" ? std::string_view("tool")
                                                        : role;
    const auto found = prompt::find_role(known);
    if (!found) {
        return base::fail(ErrorCode::kFieldType,
                          {"messages[].role", "system, user, assistant, tool"});
    }
    message.role = *found;
    const Value* content = value::find_member(&written, "content");
    if (content != nullptr && content->is_string()) {
        message.content = value::Str(content->as_string());
    } else if (content != nullptr && content->is_array()) {
        message.content = value::Str(joined_text(content->as_array()));
        message.parts = *content;
    } else if (content != nullptr && !content->is_null()) {
        return base::fail(ErrorCode::kFieldType, {"messages[].content", "text or a list of parts"});
    }
    message.name = text_in(value::find_member(&written, "name"));
    message.tool_call_id = text_in(value::find_member(&written, "tool_call_id"));
    const Value* calls = value::find_member(&written, "tool_calls");
    if (calls != nullptr && calls->is_array()) {
        for (const Value& call : calls->as_array()) {
            const Value* function = value::find_member(&call, "function");
            message.tool_calls.push_back(
                {std::string(text_in(value::find_member(&call, "id"))),
                 std::string(text_in(value::find_member(function, "name"))),
                 std::string(text_in(value::find_member(function, "arguments")))});
        }
    }
    return message;
}

std::vector<table::ToolSchema> tools_of(const Value* written) {
    std::vector<table::ToolSchema> tools;
    if (written == nullptr || !written->is_array()) {
        return tools;
    }
    for (const Value& each : written->as_array()) {
        const Value* function = value::find_member(&each, "function");
        const std::string_view name = text_in(value::find_member(function, "name"));
        if (name.empty()) {
            continue;
        }
        const Value* parameters = value::find_member(function, "parameters");
        tools.push_back({std::string(name),
                         std::string(text_in(value::find_member(function, "description"))),
                         parameters != nullptr ? *parameters : Value(Object())});
    }
    return tools;
}

void read_hints(const Value* written, ClientRequest& request) {
    if (written == nullptr) {
        return;
    }
    request.campaign = text_in(value::find_member(written, "campaign"));
    Hints& hints = request.hints.change();
    hints.chat = text_in(value::find_member(written, "chat"));
    hints.generation = find_generation(text_in(value::find_member(written, "generation")));
    hints.swipe = number_in(value::find_member(written, "swipe"));
    hints.message = number_in(value::find_member(written, "message"));
    hints.inject = text_in(value::find_member(written, "inject"));
}

}  // namespace

void ClientRequest::take_header(std::string_view name, std::string_view value) {
    if (name == "x-arbiter-campaign" && campaign.empty()) {
        campaign = value;
    } else if (name == "x-arbiter-chat" && hints->chat.empty()) {
        hints.change().chat = value;
    } else if (name == "x-gen-type" && !hints->generation) {
        hints.change().generation = find_generation(value);
    } else if (name == "x-swipe" && !hints->swipe) {
        hints.change().swipe = number_of(value);
    } else if (name == "x-mid" && !hints->message) {
        hints.change().message = number_of(value);
    }
}

Result<ClientRequest> parse_client_request(const Value& body) {
    if (!body.is_object()) {
        return base::fail(ErrorCode::kFieldType, {"$", "{\"messages\": […]}"});
    }
    const Object& fields = body.as_object();
    const Value* messages = fields.find("messages");
    if (messages == nullptr) {
        return base::fail(ErrorCode::kFieldMissing, {"messages"});
    }
    if (!messages->is_array() || messages->as_array().empty()) {
        return base::fail(ErrorCode::kFieldType, {"messages", "[{\"role\", \"content\"}, …]"});
    }
    ClientRequest request;
    request.messages.reserve(messages->as_array().size());
    for (const Value& each : messages->as_array()) {
        auto message = message_of(each);
        if (!message) {
            return std::unexpected(std::move(message).error());
        }
        request.messages.push_back(*std::move(message));
    }
    request.model = text_in(fields.find("model"));
    const Value* stream = fields.find("stream");
    request.is_streamed = stream != nullptr && stream->is_bool() && stream->as_bool();
    const Value* usage = value::find_member(fields.find("stream_options"), "include_usage");
    request.asks_for_usage = usage != nullptr && usage->is_bool() && usage->as_bool();
    request.tools = tools_of(fields.find("tools"));
    read_hints(fields.find("arbiter"), request);
    for (const auto& [key, value] : fields) {
        if (std::ranges::find(kTaken, std::string_view(key)) == std::end(kTaken)) {
            request.more = std::move(request.more).set(key, value);
        }
    }
    return request;
}

std::optional<std::size_t> messages_before(const Hints& hints, Generation generation) {
    if (!hints.message) {
        return std::nullopt;
    }
    switch (generation) {
        case Generation::kNormal:  // the last message is the player's
        case Generation::kImpersonate:
        case Generation::kQuiet:
            return *hints.message;
        case Generation::kSwipe:  // the reply that is replaced
        case Generation::kRegenerate:
            return *hints.message > 0 ? *hints.message - 1 : 0;
        case Generation::kContinue:
            return *hints.message + 1;
    }
    return std::nullopt;
}

}  // namespace arbiter::chat
