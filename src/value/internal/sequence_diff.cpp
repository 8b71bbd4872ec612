#include "value/internal/sequence_diff.h"

#include <algorithm>
#include <cstdint>

#include "base/limits.h"
#include "value/hash.h"

namespace arbiter::value::internal {

Pairs common_elements(std::span<const Value* const> a, std::span<const Value* const> b) {
    const std::size_t width = b.size() + 1;
    if ((a.size() + 1) * width > base::kDiffCellsMax) {
        return {};
    }
    const auto hashes = [](std::span<const Value* const> items) {
        std::vector<std::uint64_t> result;
        result.reserve(items.size());
        for (const Value* item : items) {
            result.push_back(fingerprint_of(*item).exact);
        }
        return result;
    };
    const std::vector<std::uint64_t> left = hashes(a);
    const std::vector<std::uint64_t> right = hashes(b);
    const auto same = [&](std::size_t i, std::size_t j) {
        return left[i] == right[j] && same_bytes(*a[i], *b[j]);
    };
    // lengths[i * width + j]: the most pairs in a[i…] and b[j…].
    std::vector<std::uint16_t> lengths((a.size() + 1) * width, 0);
    for (std::size_t i = a.size(); i-- > 0;) {
        for (std::size_t j = b.size(); j-- > 0;) {
            const std::size_t at = i * width + j;
            lengths[at] = same(i, j) ? static_cast<std::uint16_t>(lengths[at + width + 1] + 1)
                                     : std::max(lengths[at + width], lengths[at + 1]);
        }
    }
    Pairs pairs;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const std::size_t at = i * width + j;
        if (same(i, j)) {
            pairs.emplace_back(i++, j++);
        } else if (lengths[at + width] >= lengths[at + 1]) {
            ++i;
        } else {
            ++j;
        }
    }
    return pairs;
}

std::vector<bool> longest_rising(std::span<const std::size_t> numbers) {
    std::vector<bool> marked(numbers.size(), std::ranges::is_sorted(numbers));
    if (numbers.empty() || marked[0]) {
        return marked;
    }
    // ends[k]: where the run of length k + 1 with the smallest last number ends.
    std::vector<std::size_t> ends;
    std::vector<std::size_t> before(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto place = std::ranges::lower_bound(
            ends, numbers[i], {}, [numbers](std::size_t end) { return numbers[end]; });
        before[i] = place == ends.begin() ? i : *(place - 1);
        if (place == ends.end()) {
            ends.push_back(i);
        } else {
            *place = i;
        }
    }
    std::size_t at = ends.back();
    marked[at] = true;
    for (std::size_t left = ends.size() - 1; left > 0; --left) {
        at = before[at];
        marked[at] = true;
    }
    return marked;
}

}  // namespace arbiter::value::internal
