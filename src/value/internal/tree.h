// The tree of order: values by position, shared by arrays and objects.
//
// A tree is a Leaf or an Inner, or nullptr when empty. The leaves of an object's tree have Keys;
// those of a Big one also carry order ids, ascending along the tree, which the trie maps keys to.
// Functions that change a tree take over the reference to it and copy shared nodes.
#pragma once

#include <span>

#include "value/internal/nodes.h"
#include "value/value.h"

namespace arbiter::value::internal {

// Gives nodes access to the private parts of the value types.
struct Access {
    template <typename T>
    static Slot& slot(T& value) noexcept {
        return value.slot_;
    }
    template <typename T>
    static const Slot& slot(const T& value) noexcept {
        return value.slot_;
    }
    // The bits of a string of at most Str::kInlineMax bytes.
    static Slot short_text(std::string_view text) noexcept { return Str::make_short(text); }
    // The bits of a container with this node (or none, when empty).
    static Slot bits(Kind kind, Header* node) noexcept {
        return {reinterpret_cast<std::uintptr_t>(node),
                Value::tag(kind) | (node != nullptr ? kCountedBit : 0)};
    }
};

inline bool same_bits(const Slot& a, const Slot& b) noexcept {
    return a.lo == b.lo && a.hi == b.hi;
}

// The child that holds `position`, which becomes the position inside that child.
std::size_t child_at(const Inner* inner, std::size_t& position) noexcept;

// Where a position or an order id is. For an id that is not in the tree, leaf is nullptr.
struct Spot {
    const Leaf* leaf = nullptr;
    std::size_t index = 0;
    std::size_t position = 0;
};
Spot locate(const Header* tree, std::size_t position) noexcept;
Spot locate_id(const Header* tree, OrderId id) noexcept;

// A new value of a tree; key, hash and id are for objects only.
struct Entry {
    Value value;
    const Str* key = nullptr;
    KeyHash hash = 0;
    OrderId id = 0;
};
// position <= size.
void tree_insert(Header*& tree, std::size_t position, Entry entry) noexcept;
// position < size. The tree becomes nullptr with its last value.
void tree_erase(Header*& tree, std::size_t position) noexcept;
// Gives the values from a position on new order ids, which must keep rising along the tree.
void tree_set_ids(Header*& tree, std::size_t from, std::span<const OrderId> ids) noexcept;
// Builds a tree, taking over the values' references (their slots are left null).
Header* tree_build(std::span<Value> values) noexcept;
// The same for a large object; keys[i] belongs to values[i], ids are given by `spacing`.
Header* tree_build_keyed(std::span<Value> values, std::span<const Str> keys,
                         std::span<const KeyHash> hashes, OrderId spacing) noexcept;

// Copies of one node whose children are shared. The child at `skip` is copied without counting
// the reference: the caller replaces it or counts it (see internal/descent.h).
Leaf* clone_leaf(const Leaf* leaf, std::size_t capacity, std::size_t skip = kNone) noexcept;
Inner* clone_inner(const Inner* inner, std::size_t skip = kNone) noexcept;

// Height of a node that must hold `value`.
std::uint16_t height_above(const Value& value) noexcept;
std::uint16_t height_of(const Value& value) noexcept;

}  // namespace arbiter::value::internal
