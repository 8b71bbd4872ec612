// Stored turns as replies of a chat, and replies of a chat as stored turns. Used by the gateway,
// and by the import and export of chats.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/display.h"
#include "campaign/session.h"
#include "chat/history.h"
#include "chat/reply_tree.h"
#include "ledger/campaign.h"

namespace arbiter::server {

// ---- turns that only keep something of a chat: edits without a change, whose action has `what`

// A reply that was not finished: said, text, continues?.
inline constexpr std::string_view kAbortedReply = "aborted_reply";
// A reply without commands that the client brought with it, such as a greeting: said, text.
inline constexpr std::string_view kForeignReply = "foreign_reply";
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

// Makes a reply of a client's chat a turn behind the head, with the commands of its text.
base::Result<> adopt(campaign::Session& session, const chat::HistoryReply& reply,
                     engine::Instant now);
// Stores a reply of a client's chat that is not a turn yet. `is_greeting`: it begins the chat, so
// it may define variables.
base::Result<> store_foreign(campaign::Session& session, const chat::HistoryReply& reply,
                             bool is_greeting, engine::Instant now);
// Stores a reply that is a turn elsewhere again behind the head, with the commands that it has
// there. `parts`: its turns, in order; several if it was continued. `said`: the words before it.
base::Result<> repeat(campaign::Session& session, const std::vector<std::string>& parts,
                      const std::string& said, engine::Instant now);

// Keeps the text of a reply behind the head, as an edit without a change.
base::Result<> keep_reply(campaign::Session& session, const chat::StoredReply& reply,
                          engine::Instant now);

}  // namespace arbiter::server
