// Commits without a campaign's play behind them, for tests of stores alone.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ledger/store.h"

namespace arbiter::ledger {

inline TurnRow turn_of(const std::optional<TurnId>& parent, std::int64_t number,
                       const std::string& text) {
    const std::string whole = (parent ? parent->hex() : "") + text;
    return {sha256(whole), parent, number, number * 10, whole};
}

// The first turn of a new campaign.
inline Commit first_of(const std::string& campaign, const std::string& text = "first") {
    Commit commit;
    commit.campaign = campaign;
    commit.create = CampaignRow{campaign, "name of " + campaign, 7, std::nullopt, std::nullopt};
    commit.turns.push_back(turn_of(std::nullopt, 0, campaign + text));
    commit.head = HeadMove{std::nullopt, commit.turns[0].id, std::nullopt};
    return commit;
}

inline Commit next_of(const std::string& campaign, const TurnId& parent, std::int64_t number,
                      const std::string& text) {
    Commit commit;
    commit.campaign = campaign;
    commit.turns.push_back(turn_of(parent, number, text));
    commit.head = HeadMove{parent, commit.turns[0].id, std::nullopt};
    return commit;
}

// From the head back to the beginning, as the rows say.
inline std::vector<TurnId> line_of(Store& store, const std::string& campaign) {
    std::map<TurnId, std::optional<TurnId>> parents;
    for (const TurnRow& row : store.turns(campaign).value()) {
        parents.emplace(row.id, row.parent);
    }
    std::vector<TurnId> line;
    auto at = store.campaign(campaign).value().head;
    while (at) {
        line.push_back(*at);
        at = parents.at(*at);
    }
    return line;
}

}  // namespace arbiter::ledger
