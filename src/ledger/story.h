// Story: the line to the head for a player to keep: JSON lines of words, narrative and changes,
// redacted. Cannot be imported again; for that there is archive.h.
#pragma once

#include <functional>
#include <string>

#include "ledger/campaign.h"
#include "table/player_view.h"

namespace arbiter::ledger {

// The words of a turn as a player may see them.
struct StoryWords {
    std::function<std::string(const Record& turn)> said;
    std::function<std::string(const Record& turn)> shown;
};
base::Result<std::string> export_story(const Campaign& campaign, const StoryWords& words,
                                       const table::Redactor& redactor);

}  // namespace arbiter::ledger
