// ClientRequest: the body of a chat completions request as a client wrote it.
//
// Members that Arbiter does not know are kept and passed on. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/lazy.h"
#include "chat/history.h"
#include "prompt/message.h"
#include "table/tool.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::chat {

// Facts about a request that a client may send beside the chat; all of them are optional.
struct Hints {
    std::string chat = {};  // the client's own id of the chat
    std::optional<Generation> generation = {};
    std::optional<std::size_t> swipe = {};    // the number of the swipe, from 1
    std::optional<std::size_t> message = {};  // the index of the last message of the chat, from 0
    std::string inject = {};                  // "full", "state", "off"; empty: the setting
};

struct ClientRequest {
    std::vector<prompt::Message> messages;
    std::string model;
    bool is_streamed = false;
    bool asks_for_usage = false;           // of a stream
    std::vector<table::ToolSchema> tools;  // of the client
    std::string campaign;                  // that the client named
    base::Lazy<Hints> hints;               // most clients send none
    value::Object more;                    // the members to be passed on

    // Takes a field of the request's head, named in lower case. Unknown fields and values that
    // cannot be read, such as macros that were not expanded, are ignored.
    void take_header(std::string_view name, std::string_view value);
};

// Fails with kFieldMissing or kFieldType.
base::Result<ClientRequest> parse_client_request(const value::Value& body);

// The messages that the chat has up to the last reply of the history, by the hints.
std::optional<std::size_t> messages_before(const Hints& hints, Generation generation);

}  // namespace arbiter::chat
