// Objects with more members than one leaf holds: a tree of order plus a trie from key to order id.
//
// Order ids rise along the tree with gaps between them, so that a member can be put between two
// others; when a gap is used up, the members around it get new ids. Replacing a value touches
// neither ids nor trie.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "value/internal/tree.h"
#include "value/internal/trie.h"

namespace arbiter::value::internal {

// Indexes of keys sorted by hash and then by key, as the trie wants them. O(n log n) also when all
// hashes are the same.
struct SortedKey {
    KeyHash hash;
    std::size_t index;
};
template <typename Key>
std::vector<SortedKey> sort_keys(std::span<const Key> keys, std::span<const KeyHash> hashes) {
    std::vector<SortedKey> sorted(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        sorted[i] = {hashes[i], i};
    }
    std::ranges::sort(sorted, [keys](const SortedKey& a, const SortedKey& b) {
        if (a.hash != b.hash) {
            return a.hash < b.hash;
        }
        const int order = std::string_view(keys[a.index]).compare(std::string_view(keys[b.index]));
        return order != 0 ? order < 0 : a.index < b.index;
    });
    return sorted;
}

// Takes over the values (their slots are left null). Keys must differ; there must be at least one.
Big* big_build(std::span<Value> values, std::span<const Str> keys, std::span<const KeyHash> hashes,
               std::span<const SortedKey> sorted) noexcept;
// Takes over the reference to `leaf`.
Big* big_from_leaf(Leaf* leaf) noexcept;

// leaf is nullptr when the key is not there.
Spot big_find(const Big* big, std::string_view key) noexcept;

// Both take the reference to a Big and leave the changed object's node in its place: after an
// erase, that may be a flat leaf. The key must be absent; `spot` must be from big_find.
void big_insert(Header*& node, std::size_t position, const Str& key, Value value) noexcept;
void big_erase(Header*& node, const Spot& spot) noexcept;

}  // namespace arbiter::value::internal
