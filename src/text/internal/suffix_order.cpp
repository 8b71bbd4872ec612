#include "text/internal/suffix_order.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"

namespace arbiter::text::internal {
namespace {

// Stable sort of `items` by rank into `out`.
void sort_by_rank(const std::vector<std::uint32_t>& items, const std::vector<std::uint32_t>& rank,
                  std::vector<std::uint32_t>& ends, std::vector<std::uint32_t>& out) {
    std::ranges::fill(ends, 0U);
    for (const std::uint32_t item : items) {
        ++ends[rank[item]];
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    for (std::size_t i = items.size(); i > 0; --i) {
        out[--ends[rank[items[i - 1]]]] = items[i - 1];
    }
}

}  // namespace

// Prefix doubling: from the order by the first n bytes to the order by the first 2n, until all
// ranks are distinct.
SuffixOrder::SuffixOrder(std::string_view text) : text_(text), order_(text.size()) {
    const std::size_t size = text.size();
    CHECK(size < 0xFFFFFFFFU);
    std::vector<std::uint32_t> rank(size);
    std::vector<std::uint32_t> next(size);
    std::vector<std::uint32_t> ends(std::max<std::size_t>(size, 256));
    for (std::size_t i = 0; i < size; ++i) {
        rank[i] = static_cast<std::uint8_t>(text[i]);
    }
    std::iota(next.begin(), next.end(), 0U);
    sort_by_rank(next, rank, ends, order_);
    for (std::size_t length = 1; length < size; length *= 2) {
        // By the second halves: suffixes without one come first.
        std::size_t filled = 0;
        for (std::size_t i = size - length; i < size; ++i) {
            next[filled++] = static_cast<std::uint32_t>(i);
        }
        for (const std::uint32_t item : order_) {
            if (item >= length) {
                next[filled++] = static_cast<std::uint32_t>(item - length);
            }
        }
        sort_by_rank(next, rank, ends, order_);
        // New ranks: equal if both halves are equal.
        const auto second = [&](std::size_t item) {
            return item + length < size ? std::int64_t{rank[item + length]} : -1;
        };
        next[order_[0]] = 0;
        for (std::size_t i = 1; i < size; ++i) {
            const bool same = rank[order_[i - 1]] == rank[order_[i]] &&
                              second(order_[i - 1]) == second(order_[i]);
            next[order_[i]] = next[order_[i - 1]] + (same ? 0 : 1);
        }
        rank.swap(next);
        if (rank[order_.back()] + 1 == size) {
            break;
        }
    }
}

bool SuffixOrder::contains(std::string_view wanted) const {
    const auto beginning = [&](std::uint32_t at) { return text_.substr(at, wanted.size()); };
    const auto found = std::ranges::lower_bound(order_, wanted, {}, beginning);
    return found == order_.end() ? wanted.empty() : beginning(*found) == wanted;
}

}  // namespace arbiter::text::internal
