#include "ledger/line.h"

#include <algorithm>

namespace arbiter::ledger {

using base::Result;

Result<Line> Line::to_head(const Campaign& campaign) {
    const auto one_line = campaign.is_one_line();
    if (!one_line) {
        return std::unexpected(one_line.error());
    }
    Line line;
    if (*one_line) {
        line.size_ = static_cast<std::size_t>(campaign.number()) + 1;
        return line;
    }
    auto ids = campaign.line_to(campaign.head());
    if (!ids) {
        return std::unexpected(std::move(ids).error());
    }
    line.ids_ = *std::move(ids);
    line.size_ = line.ids_.size();
    return line;
}

std::unexpected<base::Error> Line::broken_at(const TurnId& turn) {
    return base::fail(base::ErrorCode::kCorrupt,
                      {"turn " + turn.brief(), "the turn before it is missing"});
}

Result<std::vector<std::pair<std::size_t, TurnId>>> Line::positions_of(
    const Campaign& campaign, const std::vector<TurnId>& turns) const {
    std::vector<std::pair<std::size_t, TurnId>> positions;
    for (const TurnId& id : turns) {
        const auto row = campaign.store().turn(campaign.row().id, id);
        if (!row) {
            return std::unexpected(row.error());
        }
        // The number of a turn on the line is its position.
        const auto position = *row ? static_cast<std::size_t>((*row)->number) : size_;
        if (position < size_ && has_at(**row, position)) {
            positions.emplace_back(position, id);
        }
    }
    std::ranges::sort(positions);
    return positions;
}

}  // namespace arbiter::ledger
