// Division of a limited budget: small needs are met in full, the larger ones share the rest evenly.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace arbiter::prompt {

inline constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

// The maximum for each need so that all together use about `room`; kUnlimited if all fit.
std::size_t fair_share(std::vector<std::size_t> needs, std::size_t room);

// The same if the needs are estimates: calls `show` for each index in ascending order of size, with
// its share of what is left. `show` returns the amount it used.
using Show = std::function<std::size_t(std::size_t index, std::size_t share)>;
void share_out(std::span<const std::size_t> sizes, std::size_t room, const Show& show);

}  // namespace arbiter::prompt
