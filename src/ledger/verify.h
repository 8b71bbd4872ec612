// Verify: checks that everything a campaign needs is stored and intact.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ledger/campaign.h"
#include "ledger/progress.h"

namespace arbiter::ledger {

struct TurnDefect {
    TurnId turn;
    std::int64_t number = 0;
    std::string message;     // a phrase (base/phrases.h)
    std::string about = {};  // the text, checkpoint or key that it concerns; empty: the turn itself
};
// The result of verify() and rebuild().
struct CheckReport {
    std::size_t turns = 0;
    std::size_t commands = 0;
    std::size_t unjudged = 0;  // turns of another revision, whose changes were applied as recorded
    std::vector<TurnDefect> defects;
    std::vector<TurnDefect> repaired;  // read with U+FFFD for bytes that are not UTF-8; no defects
    bool is_stopped = false;           // by the caller, before the end
};

// Checks of every turn of the tree: its bytes match its id, its columns match its record, its
// parent exists, its changes lead to the state it names, its keyframe, if any, is that state, and
// the texts of its rules are stored as their digests say. The head, the undo target, checkpoints
// and keyframes must be turns of the tree. Continues behind damage where possible. Fails only when
// the store does.
base::Result<CheckReport> verify(const Campaign& campaign, const Progress& progress = {});

// The text of a digest; fails with kCorrupt if it is missing or has another digest.
base::Result<std::string> load_text(Store& store, std::string_view campaign, const Digest& digest);

}  // namespace arbiter::ledger
