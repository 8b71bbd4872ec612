// Cursor: walks a tree of order from value to value.
#pragma once

#include <cstddef>

#include "value/internal/nodes.h"

namespace arbiter::value::internal {

class Cursor {
  public:
    Cursor() noexcept = default;
    Cursor(const Header* tree, std::size_t position) noexcept : tree_(tree), position_(position) {
        seek();
    }
    static Cursor end(const Header* tree) noexcept {
        Cursor cursor;
        cursor.position_ = tree_size(tree);
        return cursor;
    }
    [[nodiscard]] std::size_t position() const noexcept { return position_; }
    [[nodiscard]] const Value& value() const noexcept;
    [[nodiscard]] const Str& key() const noexcept;
    void next() noexcept;

  private:
    void seek() noexcept;

    const Header* tree_ = nullptr;
    const Leaf* leaf_ = nullptr;
    std::size_t index_ = 0;
    std::size_t position_ = 0;
};

}  // namespace arbiter::value::internal
