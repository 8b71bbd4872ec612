#include "ledger/store/known_rows.h"

#include <utility>

namespace arbiter::ledger {

void KnownRows::follow(std::int64_t others) {
    if (std::exchange(others_, others) != others) {
        rows_.clear();
    }
}

std::optional<KnownCampaign> KnownRows::find(std::string_view campaign) const {
    const auto found = rows_.find(campaign);
    return found != rows_.end() ? std::optional(found->second) : std::nullopt;
}

void KnownRows::add(const CampaignRow& row) {
    if (rows_.size() >= kRowsMax) {
        rows_.clear();
    }
    rows_.insert_or_assign(row.id, KnownCampaign{row, ++version_, 0, {}});
}

void KnownRows::take(const Commit& commit) {
    const auto found = rows_.find(commit.campaign);
    if (found == rows_.end()) {
        return;
    }
    KnownCampaign& known = found->second;
    known.before = commit.turns.size() > 1 ? 0 : known.version;
    known.added = commit.turns.empty() ? std::nullopt : std::optional(commit.turns[0].id);
    known.version = ++version_;
    if (commit.head) {
        known.row.head = commit.head->to;
        known.row.undo = commit.head->undo;
    }
}

void KnownRows::forget(std::string_view campaign) {
    if (const auto found = rows_.find(campaign); found != rows_.end()) {
        rows_.erase(found);
    }
}

}  // namespace arbiter::ledger
