// Cursor: walks a tree from value to value in order; and the iterator of arrays and objects.
#pragma once

#include <cstddef>
#include <type_traits>

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

// Forward iterator over a container. `Read` is a function object that reads the element at a
// cursor.
template <typename Read>
class CursorIterator {
  public:
    using reference = std::invoke_result_t<Read, const Cursor&>;
    using value_type = std::remove_cvref_t<reference>;
    using difference_type = std::ptrdiff_t;

    CursorIterator() noexcept = default;
    explicit CursorIterator(Cursor cursor) noexcept : cursor_(cursor) {}
    reference operator*() const noexcept { return Read()(cursor_); }
    const value_type* operator->() const noexcept
        requires std::is_reference_v<reference>
    {
        return &Read()(cursor_);
    }
    CursorIterator& operator++() noexcept {
        cursor_.next();
        return *this;
    }
    CursorIterator operator++(int) noexcept {
        CursorIterator before = *this;
        cursor_.next();
        return before;
    }
    friend bool operator==(const CursorIterator& a, const CursorIterator& b) noexcept {
        return a.cursor_.position() == b.cursor_.position();
    }

  private:
    Cursor cursor_;
};

struct ReadValue {
    const Value& operator()(const Cursor& cursor) const noexcept { return cursor.value(); }
};

}  // namespace arbiter::value::internal
