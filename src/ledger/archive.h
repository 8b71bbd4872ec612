// Archive: a whole campaign as one text: lines of JSON, the last of which has the digest of those
// before. docs/ledger.md describes them.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ledger/campaign.h"
#include "ledger/progress.h"

namespace arbiter::ledger {

// Fails with the reason why a campaign that is intact cannot be played on, such as a profile that
// does not load. The ledger itself does not know rules.
using CheckPlayable = std::function<base::Result<>(const Campaign& campaign)>;

struct ArchiveOptions {
    CheckPlayable check_playable = {};  // none: not checked
    Progress progress = {};
};

// Fails with kCorrupt if the campaign is damaged and with kTextTooLong if its archive would be too
// large: an archive that is written can be imported.
base::Result<std::string> export_campaign(const Campaign& campaign,
                                          const ArchiveOptions& options = {});

struct ArchiveLine {
    std::string text;      // without its line break
    bool is_whole = true;  // it had one
};
// Gives the next line of an archive; nothing at the end.
using ArchiveLines = std::function<base::Result<std::optional<ArchiveLine>>()>;

// The text is not trusted: every turn must match its id and lead to the state it names, every text
// that a turn names must be there, and the campaign must be playable, or nothing is stored. Texts
// that no turn names are left out. Returns the campaign's id. Fails with kCampaignExists.
base::Result<std::string> import_campaign(Store& store, const ArchiveLines& lines,
                                          const ArchiveOptions& options = {});

// Copies a campaign that is intact to another store. An interrupted copy can be continued by
// calling again. Returns false if the campaign was there already; fails with kCampaignExists if
// another campaign has its id.
base::Result<bool> copy_campaign(const Campaign& campaign, Store& to,
                                 const Progress& progress = {});
// Copies the named texts of a store. Names that are taken in the other store keep their texts.
base::Result<> copy_named_texts(Store& from, Store& to);

}  // namespace arbiter::ledger
