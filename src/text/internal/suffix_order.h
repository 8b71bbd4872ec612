// SuffixOrder: a suffix array, in which a substring is found by binary search. Construction takes
// O(n log n) time for any text, and 16 bytes of memory for each byte.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace arbiter::text::internal {

class SuffixOrder {
  public:
    // Keeps a view of the text, which must be shorter than 4 GiB.
    explicit SuffixOrder(std::string_view text);
    [[nodiscard]] bool contains(std::string_view wanted) const;

  private:
    std::string_view text_;
    std::vector<std::uint32_t> order_;
};

}  // namespace arbiter::text::internal
