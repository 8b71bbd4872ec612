#include "ledger/keyframes.h"

#include <algorithm>
#include <map>

namespace arbiter::ledger {

using base::Result;

Result<std::size_t> thin(const Campaign& campaign, const Thinning& thinning) {
    const auto rows = campaign.turns();
    const auto keyframes = campaign.store().keyframes(campaign.row().id);
    const auto checkpoints = campaign.checkpoints();
    if (!rows || !keyframes || !checkpoints) {
        return std::unexpected(!rows        ? rows.error()
                               : !keyframes ? keyframes.error()
                                            : checkpoints.error());
    }
    std::map<TurnId, std::int64_t> numbers;
    std::int64_t last = 0;
    for (const TurnRow& row : *rows) {
        numbers[row.id] = row.number;
        last = std::max(last, row.number);
    }
    // The number of the first keyframe in each part of so many turns.
    const std::int64_t every = std::max<std::int64_t>(thinning.every, 1);
    std::map<std::int64_t, std::int64_t> first_in;
    for (const TurnId& id : *keyframes) {
        if (const auto number = numbers.find(id); number != numbers.end()) {
            auto& first =
                first_in.try_emplace(number->second / every, number->second).first->second;
            first = std::min(first, number->second);
        }
    }
    std::size_t dropped = 0;
    for (const TurnId& id : *keyframes) {
        const auto number = numbers.find(id);
        const bool stays =
            number == numbers.end() || number->second > last - thinning.recent ||
            number->second == first_in.at(number->second / every) || id == campaign.head() ||
            std::ranges::find(*checkpoints, id, &Checkpoint::turn) != checkpoints->end();
        if (stays) {
            continue;
        }
        if (auto done = campaign.store().drop_keyframe(campaign.row().id, id); !done) {
            return std::unexpected(std::move(done).error());
        }
        ++dropped;
    }
    return dropped;
}

}  // namespace arbiter::ledger
