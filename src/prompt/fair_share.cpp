#include "prompt/fair_share.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace arbiter::prompt {

std::size_t fair_share(std::vector<std::size_t> needs, std::size_t room) {
    std::ranges::sort(needs);
    for (std::size_t i = 0; i < needs.size(); ++i) {
        const std::size_t share = room / (needs.size() - i);
        if (needs[i] > share) {
            return share;
        }
        room -= needs[i];
    }
    return kUnlimited;
}

void share_out(std::span<const std::size_t> sizes, std::size_t room, const Show& show) {
    std::vector<std::size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(sizes[i], i); });
    for (std::size_t done = 0; done < order.size(); ++done) {
        const std::size_t share = room == kUnlimited ? kUnlimited : room / (order.size() - done);
        const std::size_t took = show(order[done], share);
        room -= room == kUnlimited ? 0 : std::min(room, took);
    }
}

}  // namespace arbiter::prompt
