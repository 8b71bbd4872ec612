// Verify: checks that every stored turn of a campaign is intact.
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
    std::string message;
};
// The result of verify() and rebuild().
struct CheckReport {
    std::size_t turns = 0;
    std::size_t commands = 0;
    std::size_t unjudged = 0;  // turns of another revision, whose changes were applied as recorded
    std::vector<TurnDefect> defects;
    bool is_stopped = false;  // by the caller, before the end
};

// Checks of every turn of the tree: its bytes match its id, its parent exists, its changes lead to
// the state it names, and its keyframe, if any, is that state. Continues behind damage where
// possible. Fails only when the store does.
base::Result<CheckReport> verify(const Campaign& campaign, const Progress& progress = {});

}  // namespace arbiter::ledger
