// Stored turns as replies of a chat, and replies of a chat as stored turns. Used by the gateway,
// and by the import and export of chats.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/display.h"
#include "campaign/session.h"
#include "chat/reply_tree.h"
#include "ledger/campaign.h"

namespace arbiter::server {

// ---- turns that only keep something of a chat: edits without a change, whose action has `what`

// A reply that was not finished: said, text, continues?.
inline constexpr std::string_view kAbortedReply = "aborted_reply";
// The messages of an imported file up to a reply: messages, swipes (the turns of the versions of
// the last one), header?.
inline constexpr std::string_view kChatMessages = "chat_messages";

// The text member of an action; empty: it has none.
std::string_view member(const value::Object& action, std::string_view key);

// Adds a turn to the tree of its campaign. `display`: nullptr: the words as they are stored.
void add_record(chat::ReplyTree& tree, const ledger::TurnRow& row, const ledger::Record& record,
                const campaign::Display* display);
// The tree of all turns.
base::Result<chat::ReplyTree> reply_tree_of(const ledger::Campaign& campaign,
                                            const value::Object& globals);

// The actions kChatMessages at the place of a reply, oldest first.
base::Result<std::vector<value::Object>> kept_messages(const ledger::Campaign& campaign,
                                                       const chat::ReplyTree::Node& node);

// A reply of a client's chat that has to become a turn.
struct AdoptedReply {
    std::string said;
    std::string text;
    std::string source = {};  // the id of the turn that is repeated; empty: none
};
// Makes it a turn behind the head, with the commands of its text or of its source.
base::Result<> adopt(campaign::Session& session, const AdoptedReply& reply, engine::Instant now);

// Keeps a reply that was not finished, behind the head.
base::Result<> keep_aborted(campaign::Session& session, const chat::StoredReply& reply,
                            engine::Instant now);

}  // namespace arbiter::server
