// ReplyCommands: the commands that are in a text as a client shows it, and the words around them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "chat/plain_text.h"

namespace arbiter::chat {

struct ReplyCommands {
    std::vector<std::string> texts;  // of the commands
    TextKey key;            // equal for equal commands in the same order; empty: there are none
    std::string narrative;  // the text without them and without thinking
    bool has_thinking = false;
};

// Reads blocks of every dialect.
ReplyCommands read_commands(std::string_view text);
// The text without the model's thinking, but with its blocks.
std::string without_thinking(std::string_view text);

}  // namespace arbiter::chat
