// Groups: of the entries that name the same group, one is active.
//
// A group that has an active entry takes no other. Else sticky members win, then those with the
// most keys found (of members with group scoring), then the highest order of those that override,
// then a lot by weight. An entry in several groups must win all of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "prompt/internal/lore_search.h"
#include "prompt/internal/lore_timers.h"

namespace arbiter::prompt::internal {

// An entry that may become active in this round.
struct Candidate {
    std::size_t book;  // index
    std::uint32_t slot;
    const LoreEntry* entry;
    bool is_sticky;
    std::optional<Hit> woke;  // none: active without a key
};

// The active entries of groups since earlier rounds.
using GroupWinners = std::map<std::string, const LoreEntry*>;

struct GroupInputs {
    std::span<const Candidate> candidates;  // those of higher order first
    const GroupWinners& winners;
    std::span<const Search> searches;  // by book
    const Timers& timers;
    std::uint64_t seed;
};
struct GroupLoss {
    std::size_t candidate;  // index
    std::string group;
    const LoreEntry* winner;
    std::size_t book = 0;  // of the candidate
    std::uint32_t slot = 0;
};
std::vector<GroupLoss> settle_groups(const GroupInputs& inputs);

}  // namespace arbiter::prompt::internal
