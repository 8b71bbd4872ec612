// Object: a persistent map from strings to Values that keeps the order of insertion.
//
// Copies share all nodes; const methods return a changed copy and rvalue methods reuse nodes
// without other owners (see Array). Lookup, insertion, replacement and erasure cost O(log n), also
// by position (repeated insertion at one spot O(log² n) on average; among k keys with equal hashes,
// insertion copies k numbers). Setting an existing key keeps its position; a new key goes last.
#pragma once

#include <initializer_list>
#include <optional>

#include "value/internal/cursor.h"
#include "value/value.h"

namespace arbiter::value {

// Borrowed from its object.
struct Member {
    const Str& key;
    const Value& value;
};

namespace internal {
struct ReadMember {
    Member operator()(const Cursor& cursor) const noexcept {
        return {cursor.key(), cursor.value()};
    }
};
}  // namespace internal

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

    // The value of a key, or nullptr. Valid until this object changes or is destroyed.
    [[nodiscard]] const Value* find(std::string_view key) const noexcept;
    [[nodiscard]] bool contains(std::string_view key) const noexcept {
        return find(key) != nullptr;
    }
    // False if no key begins with an underscore; true if one may (always, for a large object).
    [[nodiscard]] bool may_have_marks() const noexcept;
    // The position of a key in the order; and position and value at once.
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
    // Erasing an absent key returns the same object.
    [[nodiscard]] Object erase(std::string_view key) const& noexcept;
    [[nodiscard]] Object erase(std::string_view key) && noexcept;
    // Inserts a new key at a position. `key` must be absent, position <= size().
    [[nodiscard]] Object insert(std::size_t position, const Str& key, Value value) const& noexcept;
    [[nodiscard]] Object insert(std::size_t position, const Str& key, Value value) && noexcept;

    using Iterator = internal::CursorIterator<internal::ReadMember>;
    [[nodiscard]] Iterator begin() const noexcept { return Iterator(internal::Cursor(tree(), 0)); }
    [[nodiscard]] Iterator end() const noexcept { return Iterator(internal::Cursor::end(tree())); }

    // Deep equality; the order of members does not matter.
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
