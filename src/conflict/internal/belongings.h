// Belongings: claims about things, compared with inventories and settled changes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conflict/internal/claims.h"

namespace arbiter::conflict::internal {

// One claim about a thing: a change, or a count.
struct ThingClaim {
    std::string name;
    std::int64_t delta = 0;             // 0: a count
    std::optional<std::int64_t> count;  // the claimed count
    bool is_vague = false;              // no number was given
    bool is_strong = true;              // a gain even of what one has
};

// How many of it the character has.
std::int64_t count_of(const Character& who, std::string_view item);
Verdict judge_thing(const Context& at, std::uint32_t who, const ThingClaim& claim);
// A gain of a thing that no inventory lists: supported by any settled gain.
Verdict judge_unlisted_gain(const Context& at, std::uint32_t who);

}  // namespace arbiter::conflict::internal
