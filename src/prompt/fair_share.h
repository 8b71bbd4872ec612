// Sharing room that is not enough for all: who needs little gets it, and the others share the rest.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace arbiter::prompt {

inline constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

// The most that one may have, so that all of them together have about `room`. kUnlimited if there
// is enough.
std::size_t fair_share(std::vector<std::size_t> needs, std::size_t room);

// The same for things whose needs are known only roughly before they are shown: the small ones
// first, each with its share of what is left. `show` says how much it took.
using Show = std::function<std::size_t(std::size_t index, std::size_t share)>;
void share_out(std::span<const std::size_t> sizes, std::size_t room, const Show& show);

}  // namespace arbiter::prompt
