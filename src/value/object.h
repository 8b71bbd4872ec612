// Object: a persistent map from strings to Values that keeps the order of insertion.
//
// Copies share everything; const methods return a changed copy for the price of the path to the
// change, rvalue methods reuse nodes that nobody else holds (see Array). Looking a key up, adding,
// replacing and erasing cost O(log n), also by position (over many insertions at one spot, on
// average O(log² n); among k keys with one hash, adding copies k numbers). Setting a key that is
// there keeps its place; a new key goes last.
#pragma once

#include <initializer_list>
#include <optional>

#include "value/internal/cursor.h"
#include "value/value.h"

namespace arbiter::value {

struct Member {
    const Str& key;
    const Value& value;
};

class Object {
  public:
    Object() noexcept : slot_{0, Value::tag(Kind::kObject)} {}
    Object(std::initializer_list<std::pair<Str, Value>> members) noexcept;
    Object(const Object& other) noexcept : slot_(other.slot_) { internal::retain(slot_); }
    Object(Object&& other) noexcept
        : slot_(std::exchange(other.slot_, {0, Value::tag(Kind::kObject)})) {}
    Object& operator=(const Object& other) noexcept {
        internal::retain(other.slot_);
        internal::release(std::exchange(slot_, other.slot_));
        return *this;
    }
    Object& operator=(Object&& other) noexcept {
        std::swap(slot_, other.slot_);
        return *this;
    }
    ~Object() { internal::release(slot_); }

    [[nodiscard]] std::size_t size() const noexcept { return internal::tree_size(tree()); }
    [[nodiscard]] bool empty() const noexcept { return internal::node_of(slot_) == nullptr; }

    // The value of a key, or nullptr. Valid while this object lives unchanged.
    [[nodiscard]] const Value* find(std::string_view key) const noexcept;
    [[nodiscard]] bool contains(std::string_view key) const noexcept {
        return find(key) != nullptr;
    }
    // False: no key begins with an underscore. A large object does not know, and says true.
    [[nodiscard]] bool may_have_marks() const noexcept;
    // Where a key stands in the order, and both at once.
    [[nodiscard]] std::optional<std::size_t> position_of(std::string_view key) const noexcept;
    struct Found {
        std::size_t position;
        const Value* value;
    };
    [[nodiscard]] std::optional<Found> locate(std::string_view key) const noexcept;
    // position < size().
    [[nodiscard]] Member at(std::size_t position) const noexcept;

    [[nodiscard]] Object set(const Str& key, Value value) const& noexcept;
    [[nodiscard]] Object set(const Str& key, Value value) && noexcept;
    // Erasing a key that is not there gives the same object.
    [[nodiscard]] Object erase(std::string_view key) const& noexcept;
    [[nodiscard]] Object erase(std::string_view key) && noexcept;
    // A new key at a place of the order; `key` must be absent, position <= size().
    [[nodiscard]] Object insert(std::size_t position, const Str& key, Value value) const& noexcept;
    [[nodiscard]] Object insert(std::size_t position, const Str& key, Value value) && noexcept;

    class Iterator {
      public:
        using value_type = Member;
        using difference_type = std::ptrdiff_t;
        Iterator() noexcept = default;
        explicit Iterator(internal::Cursor cursor) noexcept : cursor_(cursor) {}
        Member operator*() const noexcept { return {cursor_.key(), cursor_.value()}; }
        Iterator& operator++() noexcept {
            cursor_.next();
            return *this;
        }
        Iterator operator++(int) noexcept {
            Iterator before = *this;
            cursor_.next();
            return before;
        }
        friend bool operator==(const Iterator& a, const Iterator& b) noexcept {
            return a.cursor_.position() == b.cursor_.position();
        }

      private:
        internal::Cursor cursor_;
    };
    [[nodiscard]] Iterator begin() const noexcept { return Iterator(internal::Cursor(tree(), 0)); }
    [[nodiscard]] Iterator end() const noexcept { return Iterator(internal::Cursor::end(tree())); }

    // Deep equality; order does not count.
    friend bool operator==(const Object& a, const Object& b) noexcept;

  private:
    friend class Value;
    friend struct internal::Access;

    [[nodiscard]] internal::Header* tree() const noexcept {
        return internal::order_tree(internal::node_of(slot_));
    }

    internal::Slot slot_;
};
static_assert(sizeof(Object) == sizeof(Value));

inline Value::Value(Object object) noexcept
    : slot_(std::exchange(object.slot_, {0, tag(Kind::kObject)})) {}

// The member of an object, or nullptr if `value` is nullptr, is not an object or lacks the key.
inline const Value* find_member(const Value* value, std::string_view key) noexcept {
    return value != nullptr && value->is_object() ? value->as_object().find(key) : nullptr;
}

}  // namespace arbiter::value
