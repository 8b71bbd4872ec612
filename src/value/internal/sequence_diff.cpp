#include "value/internal/sequence_diff.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "base/limits.h"
#include "value/hash.h"

namespace arbiter::value::internal {
namespace {

// Elements as numbers: the same number, the same bytes. Each is compared in depth once.
class Classes {
  public:
    std::vector<std::size_t> of(std::span<const Value* const> items) {
        std::vector<std::size_t> numbers;
        numbers.reserve(items.size());
        for (const Value* item : items) {
            numbers.push_back(number_of(*item));
        }
        return numbers;
    }

  private:
    std::size_t number_of(const Value& item) {
        std::vector<std::size_t>& same_hash = by_hash_[fingerprint_of(item).exact];
        for (const std::size_t number : same_hash) {
            if (same_bytes(*first_of_[number], item)) {
                return number;
            }
        }
        same_hash.push_back(first_of_.size());
        first_of_.push_back(&item);
        return same_hash.back();
    }

    std::unordered_map<std::uint64_t, std::vector<std::size_t>> by_hash_;
    std::vector<const Value*> first_of_;
};

using Numbers = std::span<const std::size_t>;

class Aligner {
  public:
    Aligner(Numbers a, Numbers b, Pairs& pairs) noexcept : a_(a), b_(b), pairs_(pairs) {}

    // Pairs up a[i…i_end) and b[j…j_end), in order.
    void align(std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end,
               unsigned depth = 0) {
        while (i < i_end && j < j_end && a_[i] == b_[j]) {
            pairs_.emplace_back(i++, j++);
        }
        std::size_t tail = 0;
        while (i < i_end - tail && j < j_end - tail &&
               a_[i_end - tail - 1] == b_[j_end - tail - 1]) {
            ++tail;
        }
        const std::size_t i_mid = i_end - tail;
        const std::size_t j_mid = j_end - tail;
        if ((i_mid - i + 1) * (j_mid - j + 1) <= base::kDiffCellsMax) {
            by_table(i, i_mid, j, j_mid);
        } else if (depth < kDepthMax) {
            by_anchors(i, i_mid, j, j_mid, depth);
        }
        for (std::size_t k = 0; k < tail; ++k) {
            pairs_.emplace_back(i_mid + k, j_mid + k);
        }
    }

  private:
    // Anchors split a stretch into smaller ones, in which others become anchors; a few rounds do.
    static constexpr unsigned kDepthMax = 8;

    // The longest common subsequence, for stretches that are small enough.
    void by_table(std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end) {
        const std::size_t height = i_end - i;
        const std::size_t width = j_end - j + 1;
        // lengths[r * width + c]: the most pairs from row r and column c on.
        std::vector<std::uint16_t> lengths((height + 1) * width, 0);
        for (std::size_t r = height; r-- > 0;) {
            for (std::size_t c = width - 1; c-- > 0;) {
                const std::size_t at = r * width + c;
                lengths[at] = a_[i + r] == b_[j + c]
                                  ? static_cast<std::uint16_t>(lengths[at + width + 1] + 1)
                                  : std::max(lengths[at + width], lengths[at + 1]);
            }
        }
        for (std::size_t r = 0, c = 0; r < height && c + 1 < width;) {
            const std::size_t at = r * width + c;
            if (a_[i + r] == b_[j + c]) {
                pairs_.emplace_back(i + r++, j + c++);
            } else if (lengths[at + width] >= lengths[at + 1]) {
                ++r;
            } else {
                ++c;
            }
        }
    }

    // Elements that occur once on both sides belong together; the parts between them are aligned
    // separately.
    void by_anchors(std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end,
                    unsigned depth) {
        struct Seen {
            std::size_t left = 0;
            std::size_t right = 0;
            std::size_t right_index = 0;
        };
        std::unordered_map<std::size_t, Seen> seen;
        for (std::size_t k = i; k < i_end; ++k) {
            ++seen[a_[k]].left;
        }
        for (std::size_t k = j; k < j_end; ++k) {
            Seen& one = seen[b_[k]];
            ++one.right;
            one.right_index = k;
        }
        Pairs anchors;
        std::vector<std::size_t> places;
        for (std::size_t k = i; k < i_end; ++k) {
            const Seen& one = seen[a_[k]];
            if (one.left == 1 && one.right == 1) {
                anchors.emplace_back(k, one.right_index);
                places.push_back(one.right_index);
            }
        }
        const std::vector<bool> rising = longest_rising(places);
        for (std::size_t k = 0; k < anchors.size(); ++k) {
            if (rising[k]) {
                align(i, anchors[k].first, j, anchors[k].second, depth + 1);
                pairs_.push_back(anchors[k]);
                i = anchors[k].first + 1;
                j = anchors[k].second + 1;
            }
        }
        if (!anchors.empty()) {
            align(i, i_end, j, j_end, depth + 1);
        }
    }

    Numbers a_;
    Numbers b_;
    Pairs& pairs_;
};

}  // namespace

Pairs common_elements(std::span<const Value* const> a, std::span<const Value* const> b) {
    Classes classes;
    const std::vector<std::size_t> left = classes.of(a);
    const std::vector<std::size_t> right = classes.of(b);
    Pairs pairs;
    Aligner(left, right, pairs).align(0, left.size(), 0, right.size());
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
