// The messages of the history during assembly. A prompt has hundreds of them, so they are not
// blocks; only the oldest are dropped, so those that are left are a range.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "prompt/assemble.h"

namespace arbiter::prompt::internal {

struct SaidMessage {
    const Message* message = nullptr;  // borrowed
    std::size_t number = 0;            // in the history
    std::size_t tokens = 0;
};

struct History {
    std::vector<SaidMessage> said;  // oldest first
    std::size_t first = 0;          // those before it are dropped
    bool begins_with_us = false;    // a message of ours is before the first

    [[nodiscard]] std::span<const SaidMessage> left() const {
        return std::span(said).subspan(first);
    }
};

// "history:3", or "history:0-7" for a run of messages.
std::string history_id(std::size_t first, std::size_t last);

// From the newest back while they fit, so the cost does not depend on the length of the story; at
// most `most`. The plan's recent messages are taken even if they do not fit.
History take_history(const AssemblyInputs& inputs, std::size_t most);

// Some interfaces refuse a conversation that begins with the model. A greeting keeps its place
// after a message of ours; a reply whose question was dropped is dropped too.
void begin_with_the_user(History& history, Assembly& out);

}  // namespace arbiter::prompt::internal
