// Array: a persistent sequence of Values.
//
// Copies share all nodes. A const method returns a changed copy, which costs the path to the
// change, O(log n). The same call on an rvalue reuses nodes without other owners: `a =
// std::move(a).push_back(v)`. Positions must be in range; Editor reports errors instead.
//
// The headers in internal/ that this one includes are installed with it, but are not an interface.
#pragma once

#include <initializer_list>
#include <span>

#include "value/internal/cursor.h"
#include "value/value.h"

namespace arbiter::value {

class Array {
  public:
    Array() noexcept : slot_{0, Value::tag(Kind::kArray)} {}
    Array(std::initializer_list<Value> items) noexcept;
    explicit Array(std::span<const Value> items) noexcept;
    Array(const Array& other) noexcept : slot_(other.slot_) { internal::retain(slot_); }
    Array(Array&& other) noexcept
        : slot_(std::exchange(other.slot_, {0, Value::tag(Kind::kArray)})) {}
    Array& operator=(const Array& other) noexcept {
        internal::retain(other.slot_);
        internal::release(std::exchange(slot_, other.slot_));
        return *this;
    }
    Array& operator=(Array&& other) noexcept {
        std::swap(slot_, other.slot_);
        return *this;
    }
    ~Array() { internal::release(slot_); }

    [[nodiscard]] std::size_t size() const noexcept { return internal::tree_size(node()); }
    [[nodiscard]] bool empty() const noexcept { return node() == nullptr; }
    // position < size().
    [[nodiscard]] const Value& operator[](std::size_t position) const noexcept;

    // set and erase: position < size(); insert: position <= size().
    [[nodiscard]] Array set(std::size_t position, Value value) const& noexcept;
    [[nodiscard]] Array set(std::size_t position, Value value) && noexcept;
    [[nodiscard]] Array insert(std::size_t position, Value value) const& noexcept;
    [[nodiscard]] Array insert(std::size_t position, Value value) && noexcept;
    [[nodiscard]] Array erase(std::size_t position) const& noexcept;
    [[nodiscard]] Array erase(std::size_t position) && noexcept;
    [[nodiscard]] Array push_back(Value value) const& noexcept;
    [[nodiscard]] Array push_back(Value value) && noexcept;

    using Iterator = internal::CursorIterator<internal::ReadValue>;
    [[nodiscard]] Iterator begin() const noexcept { return Iterator(internal::Cursor(node(), 0)); }
    [[nodiscard]] Iterator end() const noexcept { return Iterator(internal::Cursor::end(node())); }

    friend bool operator==(const Array& a, const Array& b) noexcept;

  private:
    friend class Value;
    friend struct internal::Access;

    [[nodiscard]] internal::Header* node() const noexcept { return internal::node_of(slot_); }

    internal::Slot slot_;
};
static_assert(sizeof(Array) == sizeof(Value));

inline Value::Value(Array array) noexcept
    : slot_(std::exchange(array.slot_, {0, tag(Kind::kArray)})) {}

}  // namespace arbiter::value
