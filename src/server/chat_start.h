// start_from_chat(): a campaign made from what a client sent: the card's text from its system
// messages, the greeting, and [initvar] texts found in them.
#pragma once

#include <string>
#include <vector>

#include "campaign/session.h"
#include "prompt/message.h"

namespace arbiter::server {

// The system messages at the beginning, joined: they hold the card.
std::string leading_system_text(const std::vector<prompt::Message>& messages);

// Creates the campaign and plays the greeting, if the chat begins with one. Returns its id.
// Variables that cannot be read are left out.
base::Result<std::string> start_from_chat(ledger::Store& store,
                                          const campaign::SessionOptions& options,
                                          const std::vector<prompt::Message>& messages,
                                          engine::Instant now);

}  // namespace arbiter::server
