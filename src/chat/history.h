// The history that a client sent, as replies with the words before each, and what is asked for
// behind it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "chat/reply_tree.h"
#include "prompt/message.h"

namespace arbiter::chat {

enum class Generation : std::uint8_t {
    kNormal,  // a reply to the player, or of another speaker
    kSwipe,   // another reply in the same place; as normal, since its history determines the place
    kRegenerate,
    kContinue,     // of the last reply
    kImpersonate,  // the player's words: nothing is committed
    kQuiet         // a question beside the story: nothing is committed
};
std::string_view name(Generation generation) noexcept;
std::optional<Generation> find_generation(std::string_view name) noexcept;

struct HistoryReply {
    std::string text;           // without the variables that a greeting defines
    std::string said;           // by the player, since the reply before it
    std::string initvars = {};  // the elements that define variables
};

struct History {
    std::vector<HistoryReply> replies;
    std::string said;  // behind the last reply
    Generation generation = Generation::kNormal;
    // The client says that the last reply is to be continued: by its hint, or by an instruction,
    // which is not part of `said`.
    bool asks_to_continue = false;
};

// `hint`: what the client says about the request; without it the shape decides. The reply that is
// to be continued is the last one.
History read_history(const std::vector<prompt::Message>& messages,
                     std::optional<Generation> hint = {});

// A message of the model as a reply.
HistoryReply history_reply(std::string_view message, std::string said);
// Adds to the player's words.
void join_said(std::string& said, std::string_view more);

// The history with messages that hold several replies split into them: clients join messages of one
// role, or put everything in one. Replies are found by the texts that are stored. Then it may show
// that the last of them is to be continued.
History split_joined(History history, const ReplyTree& tree);

}  // namespace arbiter::chat
