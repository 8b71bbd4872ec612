#include "ledger/keyframes.h"

#include <algorithm>
#include <bit>
#include <map>

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
    const std::uint64_t bytes = value::weigh(after.document) + value::weigh(Value(after.meta));
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
