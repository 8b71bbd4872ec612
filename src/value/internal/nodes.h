// The nodes that containers are made of (internal/node.h says which is which).
#pragma once

#include <limits>
#include <string_view>

#include "value/internal/node.h"

namespace arbiter::value {
class Str;
class Value;
}  // namespace arbiter::value

namespace arbiter::value::internal {

inline constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

using OrderId = std::uint64_t;
using KeyHash = std::uint64_t;

// The names of a leaf's members. Flat objects have no ids.
struct Keys : Header {
    std::uint16_t size = 0;
    std::uint16_t capacity = 0;
    bool has_ids = false;
    bool plain = true;    // no name needs an escape in JSON
    bool marked = false;  // some name began with an underscore

    Keys() noexcept : Header(NodeKind::kKeys) {}
    // Room for `capacity` names; size is 0.
    static Keys* make(std::size_t capacity, bool with_ids) noexcept;
    // A copy with room for `capacity` names.
    [[nodiscard]] Keys* clone(std::size_t capacity, bool with_ids) const noexcept;

    // Behind the node lie the arrays of names, hashes and, if it has them, ids.
    Str* names() noexcept { return reinterpret_cast<Str*>(this + 1); }
    const Str* names() const noexcept { return reinterpret_cast<const Str*>(this + 1); }
    KeyHash* hashes() noexcept {
        return reinterpret_cast<KeyHash*>(reinterpret_cast<Slot*>(this + 1) + capacity);
    }
    const KeyHash* hashes() const noexcept {
        return reinterpret_cast<const KeyHash*>(reinterpret_cast<const Slot*>(this + 1) + capacity);
    }
    OrderId* ids() noexcept { return hashes() + capacity; }
    const OrderId* ids() const noexcept { return hashes() + capacity; }

    // The index of a key, or kNone. Compares the 16 bytes of short names, the hashes of long ones.
    [[nodiscard]] std::size_t find(std::string_view key) const noexcept;
    void insert(std::size_t index, const Str& key, KeyHash hash, OrderId id) noexcept;
    void append(const Str& key, KeyHash hash, OrderId id) noexcept { insert(size, key, hash, id); }
    void erase(std::size_t index) noexcept;
};

struct Leaf : Header {
    std::uint16_t size = 0;
    std::uint16_t capacity = 0;
    Keys* keys = nullptr;
    SealCache cache;

    Leaf() noexcept : Header(NodeKind::kLeaf) {}
    // Room for `capacity` values; size is 0. Takes over the reference to `keys`.
    static Leaf* make(std::size_t capacity, Keys* keys) noexcept;

    Value* items() noexcept { return reinterpret_cast<Value*>(this + 1); }
    const Value* items() const noexcept { return reinterpret_cast<const Value*>(this + 1); }
};

struct Inner : Header {
    struct Child {
        Header* node;
        std::size_t count;
        OrderId first_id;
    };
    std::uint16_t size = 0;
    std::uint16_t level = 1;  // leaves are level 0
    std::size_t count = 0;    // values below
    SealCache cache;

    Inner() noexcept : Header(NodeKind::kInner) {}
    // Always room for kNodeMax children.
    static Inner* make() noexcept;

    Child* children() noexcept { return reinterpret_cast<Child*>(this + 1); }
    const Child* children() const noexcept { return reinterpret_cast<const Child*>(this + 1); }
};

struct Trie;

struct Big : Header {
    Header* tree = nullptr;
    Trie* trie = nullptr;
    Big() noexcept : Header(NodeKind::kBig) {}
};

// The tree of an object's node: of a Big its tree, else the node itself.
inline Header* order_tree(Header* node) noexcept {
    return node != nullptr && node->kind == NodeKind::kBig ? static_cast<Big*>(node)->tree : node;
}

inline std::size_t tree_size(const Header* node) noexcept {
    if (node == nullptr) {
        return 0;
    }
    return node->kind == NodeKind::kLeaf ? static_cast<const Leaf*>(node)->size
                                         : static_cast<const Inner*>(node)->count;
}
inline unsigned level_of(const Header* node) noexcept {
    return node->kind == NodeKind::kLeaf ? 0U : static_cast<const Inner*>(node)->level;
}
inline SealCache& cache_of(Header* node) noexcept {
    return node->kind == NodeKind::kLeaf ? static_cast<Leaf*>(node)->cache
                                         : static_cast<Inner*>(node)->cache;
}

}  // namespace arbiter::value::internal
