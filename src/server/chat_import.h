// import_chat(): a chat of SillyTavern becomes turns of a campaign, as the gateway adopts a chat
// that began before it: every reply is replayed, and its other swipes are siblings.
#pragma once

#include <cstddef>

#include "campaign/session.h"
#include "chat/chat_file.h"

namespace arbiter::server {

struct ChatImport {
    std::size_t replies = 0;  // of the chat that is shown
    std::size_t swipes = 0;   // others
    std::size_t known = 0;    // of both, those that the campaign had already
    std::size_t states = 0;   // that were taken from the file, since the replay gave another one
};

// From the beginning of the campaign on; the head is at the end of the chat afterwards. The lines
// of the file are kept beside the turns for export_chat(). If it fails, the head is where it was.
base::Result<ChatImport> import_chat(campaign::Session& session, const chat::ChatFile& file,
                                     engine::Instant now);

}  // namespace arbiter::server
