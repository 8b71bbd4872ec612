// Salvage: writes the good part of a damaged campaign into another store.
//
// A turn is good if its record is intact, the turns before it are good, its changes lead to the
// state it names and the texts of its rules are there. Columns that disagree with a record are
// ignored: a record vouches for itself. If a newer state than that of the last good turn can still
// be loaded, it is added as an edit, so that the story continues from there. The damaged store is
// not changed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ledger/store.h"
#include "ledger/verify.h"

namespace arbiter::ledger {

struct SalvageReport {
    std::size_t kept = 0;          // turns
    std::vector<TurnDefect> lost;  // turns, pointers and labels that are not in the new store
    // The number of the turn whose state was added as an edit; none: no state had to be added.
    std::optional<std::int64_t> added_state;
    bool is_written = false;  // false: nothing of the campaign was good

    [[nodiscard]] bool is_whole() const noexcept { return is_written && lost.empty(); }
};

// The text of a digest from elsewhere; nothing if it is not known.
using FindText = std::function<std::optional<std::string>(const Digest& digest)>;

// Fails when a store does, and with kCampaignExists.
base::Result<SalvageReport> salvage(Store& from, const CampaignRow& row, Store& to,
                                    const FindText& find_text = {});

}  // namespace arbiter::ledger
