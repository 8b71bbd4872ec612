// Archive: a whole campaign as one text: lines of JSON, the last of which has the digest of those
// before. docs/ledger.md describes them.
#pragma once

#include <string>
#include <string_view>

#include "ledger/campaign.h"
#include "ledger/progress.h"

namespace arbiter::ledger {

base::Result<std::string> export_campaign(const Campaign& campaign, const Progress& progress = {});

// The text is not trusted: every turn must match its id and lead to the state it names, or nothing
// is stored. Returns the campaign's id. Fails with kCampaignExists.
base::Result<std::string> import_campaign(Store& store, std::string_view text,
                                          const Progress& progress = {});

// Copies a campaign to another store, turn by turn, checking each. An interrupted copy can be
// continued by calling again. Returns false if the campaign was there already; fails with
// kCampaignExists if another campaign has its id.
base::Result<bool> copy_campaign(const Campaign& campaign, Store& to,
                                 const Progress& progress = {});

}  // namespace arbiter::ledger
