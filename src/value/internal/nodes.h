// The nodes of containers. internal/node.h describes the kinds.
#pragma once

#include "value/internal/keys.h"
#include "value/internal/node.h"

namespace arbiter::value::internal {

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
