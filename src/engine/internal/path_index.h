// PathIndex: numbers filed under paths, found by where another path lies: at, above or below it.
//
// An index and the key of its digits are the same step. Adding, removing and finding cost the
// length of the path and what is found, whatever else is in the index. For one owner.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "value/path.h"

namespace arbiter::engine::internal {

class PathIndex {
  public:
    using Number = std::uint32_t;

    void add(const value::Path& path, Number number);
    // The number must be filed under the path.
    void remove(const value::Path& path, Number number);
    // Appends the numbers at or below a path, in no order.
    void find_below(const value::Path& path, std::vector<Number>& out) const;
    // Whether something is filed at the path or above it.
    [[nodiscard]] bool has_above(const value::Path& path) const;
    // Whether something is filed at the path itself.
    [[nodiscard]] bool has_at(const value::Path& path) const;

  private:
    struct Node {
        std::unordered_map<std::string, std::uint32_t> members;
        std::vector<Number> numbers;
        std::size_t below = 0;  // numbers at or below
    };
    // The node of a path, or nullptr.
    [[nodiscard]] const Node* node_at(const value::Path& path) const;
    void collect(const Node& node, std::vector<Number>& out) const;

    std::vector<Node> nodes_ = std::vector<Node>(1);
};

}  // namespace arbiter::engine::internal
