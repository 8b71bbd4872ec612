// dry_run(): judges a reply on a campaign as a turn would, and stores nothing.
#pragma once

#include "campaign/session.h"

namespace arbiter::campaign {

// The campaign's session may play a turn meanwhile. Fails like Session::open() and
// Session::apply(). The result's id names no turn.
base::Result<turn::TurnResult> dry_run(ledger::Store& store, std::string_view id,
                                       const SessionOptions& options, turn::SuppliedReply reply);

}  // namespace arbiter::campaign
