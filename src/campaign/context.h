// Context: the conversation of a campaign so far, read from its ledger.
#pragma once

#include <vector>

#include "ledger/campaign.h"
#include "prompt/message.h"

namespace arbiter::campaign {

// The player's inputs and the shown texts of all turns up to the head.
base::Result<std::vector<prompt::Message>> messages_of(const ledger::Campaign& campaign);

}  // namespace arbiter::campaign
