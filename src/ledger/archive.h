// Archive: a whole campaign as one text that can be kept anywhere and brought back; docs/ledger.md
// describes it. Lines of JSON, the last of which has the digest of all before it.
#pragma once

#include <string>
#include <string_view>

#include "ledger/campaign.h"
#include "ledger/progress.h"

namespace arbiter::ledger {

base::Result<std::string> export_campaign(const Campaign& campaign, const Progress& progress = {});

// Nothing in the text is trusted: every turn must be what its id says and every state must follow,
// or nothing is kept. Gives the campaign's id; fails with kCampaignExists.
base::Result<std::string> import_campaign(Store& store, std::string_view text,
                                          const Progress& progress = {});

// Brings a campaign into another store, turn by turn, each of which must be what its id says.
// Interrupted, it can be called again and goes on. Gives false when it was there already; fails
// with kCampaignExists when there is another campaign of that name.
base::Result<bool> copy_campaign(const Campaign& campaign, Store& to,
                                 const Progress& progress = {});

}  // namespace arbiter::ledger
