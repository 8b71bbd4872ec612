// Line: the turns from the first to the head, for visiting them in the order in which turns are
// stored. Without branches that order is the line, and no list of ids is read.
#pragma once

#include <optional>
#include <vector>

#include "ledger/campaign.h"

namespace arbiter::ledger {

class Line {
  public:
    // Fails with kCorrupt where a turn of the line is missing.
    static base::Result<Line> to_head(const Campaign& campaign);

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    // True if a stored turn is the one at a position. Of a campaign without branches every turn is.
    [[nodiscard]] bool has_at(const TurnRow& row, std::size_t position) const noexcept {
        return ids_.empty() || ids_[position] == row.id;
    }
    // The positions and ids of those of the turns that are on the line, in order.
    [[nodiscard]] base::Result<std::vector<std::pair<std::size_t, TurnId>>> positions_of(
        const Campaign& campaign, const std::vector<TurnId>& turns) const;

    // The error for turns that do not follow each other from the first to the head.
    static std::unexpected<base::Error> broken_at(const TurnId& turn);

  private:
    std::size_t size_ = 0;
    std::vector<TurnId> ids_;  // empty: the campaign has no branches
};

}  // namespace arbiter::ledger
