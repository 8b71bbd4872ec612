// PatternIndex: numbers filed under patterns, found by a path that the patterns touch.
//
// Rules ask for every change which of them it concerns. The index answers that for the price of the
// path and of the patterns that are found, not of all patterns. Safe from any thread while nothing
// is added.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "value/pattern.h"

namespace arbiter::value {

class PatternIndex {
  public:
    using Number = std::uint32_t;

    void add(const Pattern& pattern, Number number);
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    // The numbers of the patterns that touch the path (value/pattern.h): ascending, each once.
    [[nodiscard]] std::vector<Number> find(const Path& path) const;

  private:
    struct Node {
        std::unordered_map<std::string, std::uint32_t> members;
        std::uint32_t any = 0;        // the node behind an open step; 0: none
        std::vector<Number> numbers;  // of patterns that end here, or continue with **
    };
    std::uint32_t step(std::uint32_t from, const PatternStep& step);
    void collect(std::uint32_t node, std::vector<Number>& out) const;

    std::vector<Node> nodes_ = std::vector<Node>(1);
    std::size_t size_ = 0;
};

}  // namespace arbiter::value
