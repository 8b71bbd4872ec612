#include "ledger/keyframes.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "value/hash.h"

namespace arbiter::ledger {

using base::Result;
using engine::State;

namespace {

// Turns between two keyframes. A state is loaded from the nearest keyframe before it, at about
// 30 µs a turn, so keyframes are as close as their size allows: one of a small document takes the
// bytes of some turns, one of a document of 1 MB those of 70.
constexpr std::uint64_t kKeyframeTurnsMin = 16;
constexpr std::uint64_t kKeyframeTurnsMax = 256;
constexpr std::uint64_t kKeyframeBytesPerTurn = 4096;  // before they are packed

}  // namespace

bool is_keyframe_due(std::int64_t number, const State& after) {
    const std::uint64_t bytes =
        value::weigh(after.document) + value::weigh(value::Value(after.meta));
    // A power of two: the turns stay where the state grows.
    const std::uint64_t turns = std::bit_ceil(
        std::clamp(bytes / kKeyframeBytesPerTurn, kKeyframeTurnsMin, kKeyframeTurnsMax));
    return static_cast<std::uint64_t>(number) % turns == 0;
}

Result<std::size_t> thin(const Campaign& campaign, const Thinning& thinning) {
    const auto rows = campaign.turns();
    const auto keyframes = campaign.store().keyframes(campaign.row().id);
    const auto checkpoints = campaign.checkpoints();
    if (!rows || !keyframes || !checkpoints) {
        return std::unexpected(!rows        ? rows.error()
                               : !keyframes ? keyframes.error()
                                            : checkpoints.error());
    }
    const std::set<TurnId> present(keyframes->begin(), keyframes->end());
    const std::int64_t every = std::max<std::int64_t>(thinning.every, 1);
    std::int64_t last = 0;
    for (const TurnRow& row : *rows) {
        last = std::max(last, row.number);
    }
    // Up to each turn, the part with the last keyframe that stays. Branches may have theirs at
    // different numbers. Parents come before their children.
    std::map<TurnId, std::int64_t> parts;
    std::size_t dropped = 0;
    for (const TurnRow& row : *rows) {
        const auto before = row.parent ? parts.find(*row.parent) : parts.end();
        std::int64_t part = before != parts.end() ? before->second : -1;
        if (present.contains(row.id)) {
            const bool stays =
                row.number / every != part || row.number > last - thinning.recent ||
                row.id == campaign.head() ||
                std::ranges::find(*checkpoints, row.id, &Checkpoint::turn) != checkpoints->end();
            if (stays) {
                part = row.number / every;
            } else if (auto done = campaign.store().drop_keyframe(campaign.row().id, row.id);
                       !done) {
                return std::unexpected(std::move(done).error());
            } else {
                ++dropped;
            }
        }
        parts[row.id] = part;
    }
    return dropped;
}

}  // namespace arbiter::ledger
