#include "conflict/internal/belongings.h"

#include <algorithm>
#include <vector>

namespace arbiter::conflict::internal {

std::int64_t count_of(const Character& who, std::string_view item) {
    for (const auto& [name, count] : who.inventory) {
        if (name == item) {
            return count;
        }
    }
    return 0;
}

Verdict judge_thing(const Context& at, std::uint32_t who, const ThingClaim& claim) {
    const Character& character = at.truth.characters[who];
    Verdict verdict;
    if (!character.has_inventory) {
        verdict.is_none = true;
        return verdict;
    }
    const std::int64_t now = count_of(character, claim.name);
    verdict.expected = std::to_string(now) + " " + claim.name;
    if (claim.count) {
        verdict.is_contradicted = now != *claim.count;
        verdict.is_settled = !verdict.is_contradicted;
        return verdict;
    }
    std::vector<std::int64_t> deltas;
    for (const auto& [item, change] : at.settled.by_character[who].items) {
        if (item == claim.name) {
            deltas.push_back(change);
        }
    }
    // A thing that was taken out and then given away: 摸出一把钥匙，放进你手里.
    const bool was_given = claim.delta > 0 && !claim.is_strong && is_sum_of(deltas, -claim.delta);
    if (was_given) {
        verdict.is_settled = true;
        return verdict;
    }
    if (claim.is_vague) {
        const bool settled = std::ranges::any_of(
            deltas, [&](std::int64_t each) { return (each < 0) == (claim.delta < 0); });
        // Using or holding an owned thing is not a gain, and losing an unowned one is not a loss.
        const bool idle = claim.delta < 0 ? now == 0 : now > 0 && !claim.is_strong;
        verdict.is_none = idle && !settled;
        verdict.is_contradicted = !settled;
        verdict.is_settled = settled;
        return verdict;
    }
    verdict.is_contradicted = !is_sum_of(deltas, claim.delta);
    verdict.is_settled = !verdict.is_contradicted;
    return verdict;
}

Verdict judge_unlisted_gain(const Context& at, std::uint32_t who) {
    Verdict verdict;
    if (!at.truth.characters[who].has_inventory) {
        verdict.is_none = true;
        return verdict;
    }
    verdict.is_settled = std::ranges::any_of(at.settled.by_character[who].items,
                                             [](const auto& each) { return each.second > 0; });
    verdict.is_contradicted = !verdict.is_settled;
    return verdict;
}

}  // namespace arbiter::conflict::internal
