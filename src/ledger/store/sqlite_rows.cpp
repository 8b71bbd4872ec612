#include "ledger/store/sqlite_rows.h"

#include "ledger/store/sqlite_query.h"

namespace arbiter::ledger {

std::optional<TurnId> id_at(const Query& query, int column) {
    return query.is_null(column) ? std::nullopt : Digest::from_bytes(query.bytes(column));
}

CampaignRow campaign_of(const Query& query) {
    return {std::string(query.bytes(0)), std::string(query.bytes(1)), query.number_at(2),
            id_at(query, 3), id_at(query, 4)};
}

base::Result<CampaignRow> find_campaign(Database& database, std::string_view id) {
    auto found = first<CampaignRow>(
        database, "SELECT id, name, created, head, undo FROM campaigns WHERE id = ?",
        [&](Query& query) { query.text(id); }, campaign_of);
    if (!found) {
        return std::unexpected(std::move(found).error());
    }
    if (!*found) {
        return base::fail(base::ErrorCode::kCampaignUnknown, {std::string(id)});
    }
    return **std::move(found);
}

}  // namespace arbiter::ledger
