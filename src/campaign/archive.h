// Archives of campaigns that can be played on, and stories for a player to keep.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "campaign/display.h"
#include "ledger/archive.h"
#include "table/player_view.h"

namespace arbiter::campaign {

// ledger/archive.h, for a campaign whose present rules load.
base::Result<std::string> export_archive(const ledger::Campaign& campaign,
                                         const ledger::Progress& progress = {});

// Fills a part of the block; 0: the end.
using ReadBlock = std::function<std::size_t(std::span<char> block)>;
// Returns the campaign's id. No more than one line is in memory. Fails like
// ledger::import_campaign(), or with kTextTooLong.
base::Result<std::string> import_archive(ledger::Store& store, const ReadBlock& read,
                                         const ledger::Progress& progress = {});
base::Result<std::string> import_archive(ledger::Store& store, std::string_view archive);

// ledger/story.h, in the words of the display.
base::Result<std::string> export_story(const ledger::Campaign& campaign, const Display& display,
                                       const table::Redactor& redactor);

}  // namespace arbiter::campaign
