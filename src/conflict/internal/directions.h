// Directions: how a clause ties a person to the place that it names.
//
// Chinese verbs carry the direction at their end (跑回, 踩进, 溜出), English verbs in a preposition
// behind them (bursts out onto). Both are read here from the words before a place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "conflict/internal/claims.h"

namespace arbiter::conflict::internal {

enum class Way : std::uint8_t { kArrive, kBeAt, kStillAt, kLeave };

struct Direction {
    Way way = Way::kBeAt;
    std::size_t verb = 0;  // the token that begins the claim
    int confidence = 0;
    bool is_denial = false;
};

// For Chinese: the end of the words right before the token `place`.
std::optional<Direction> direction_han(const Context& at, std::size_t clause, std::size_t place);
// For English: a verb of motion or staying, and the preposition at `word` before the place.
std::optional<Direction> direction_latin(const Context& at, std::size_t clause, std::size_t word);

}  // namespace arbiter::conflict::internal
