// The hash trie that finds a key of a large object: from the hash of a key to its order id.
//
// 32-way branches by five bits of the hash at a time. Keys with equal hashes lie together in one
// node, sorted by key, so that a lookup among deliberate collisions is still a binary search.
// The trie stores no keys: a probe compares through the tree. Persistent: changing it copies shared
// nodes.
#pragma once

#include <compare>
#include <optional>
#include <string_view>

#include "value/internal/tree.h"

namespace arbiter::value::internal {

struct TrieEntry {
    KeyHash hash;
    OrderId id;
};

struct Trie : Header {
    // A branch has an entry for each bit of `entry_map` and a child for each bit of `child_map`,
    // never both. A collision has `count` ids of one hash.
    bool is_collision = false;
    std::uint32_t entry_map = 0;
    std::uint32_t child_map = 0;
    std::uint32_t count = 0;
    KeyHash hash = 0;

    Trie() noexcept : Header(NodeKind::kTrie) {}
};

// A key that is looked for, and the tree in which ids become keys.
struct KeyProbe {
    const Header* tree;
    std::string_view key;
    KeyHash hash;
    // The key with this id against the wanted one.
    [[nodiscard]] std::strong_ordering compare(OrderId id) const noexcept;
};

// Where the key is in the tree; leaf is nullptr when it is not there.
Spot trie_find(const Trie* trie, const KeyProbe& probe) noexcept;
// The trie of entries that are sorted by hash and, where hashes are equal, by key.
Trie* trie_build(std::span<const TrieEntry> sorted) noexcept;
// The key must be absent.
void trie_insert(Trie*& trie, const KeyProbe& probe, OrderId id) noexcept;
// The key must be present under this id.
void trie_erase(Trie*& trie, const KeyProbe& probe, OrderId id) noexcept;

// Changes the id of an entry.
void trie_replace(Trie*& trie, KeyHash hash, OrderId old_id, OrderId new_id) noexcept;

void trie_release_children(Trie* trie) noexcept;

}  // namespace arbiter::value::internal
