// Rows of an SQLite store, for its reading and its writing connections.
#pragma once

#include <optional>
#include <string_view>

#include "ledger/store.h"
#include "ledger/store/database.h"

namespace arbiter::ledger {

// The id in a column; nothing: it is NULL.
std::optional<TurnId> id_at(const Query& query, int column);
// A row of "SELECT id, name, created, head, undo FROM campaigns".
CampaignRow campaign_of(const Query& query);
// Fails with kCampaignUnknown.
base::Result<CampaignRow> find_campaign(Database& database, std::string_view id);

}  // namespace arbiter::ledger
