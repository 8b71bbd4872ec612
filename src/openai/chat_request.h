// The body of a request for a chat completion. Pure.
#pragma once

#include <string>

#include "model/model.h"

namespace arbiter::openai {

struct ChatRequestOptions {
    std::string model = {};  // empty: the member is left out, and the server chooses
    bool is_streamed = true;
    bool asks_for_usage = true;  // of a stream; some servers refuse the option
};

// JSON in UTF-8. Members of `sampling.more` are passed on unless they have the name of a member
// that is set here.
std::string print_chat_request(const model::Request& request, const ChatRequestOptions& options);

}  // namespace arbiter::openai
