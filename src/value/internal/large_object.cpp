#include "value/internal/large_object.h"

#include <new>
#include <vector>

#include "base/check.h"

namespace arbiter::value::internal {
namespace {

// Between neighbours: room for 32 insertions at one spot, and for 2^32 members in all.
constexpr OrderId kSpacing = OrderId{1} << 32;

Big* make_big(Header* tree, Trie* trie) noexcept {
    auto* big = new (allocate(sizeof(Big))) Big();
    big->tree = tree;
    big->trie = trie;
    return big;
}

Big* own(Header*& node) noexcept {
    auto* big = static_cast<Big*>(node);
    if (is_unique(big)) {
        return big;
    }
    retain(big->tree);
    retain(static_cast<Header*>(big->trie));
    Big* copy = make_big(big->tree, big->trie);
    release(big);
    node = copy;
    return copy;
}

OrderId id_at(const Header* tree, std::size_t position) noexcept {
    const Spot spot = locate(tree, position);
    return spot.leaf->keys->ids()[spot.index];
}

// An id for a member at `position`, or 0 when there is no room for one.
OrderId id_between(const Header* tree, std::size_t position) noexcept {
    const OrderId before = position == 0 ? 0 : id_at(tree, position - 1);
    if (position == tree_size(tree)) {
        return before <= ~OrderId{0} - kSpacing ? before + kSpacing : 0;
    }
    const OrderId after = id_at(tree, position);
    const OrderId middle = before + (after - before) / 2;
    return middle != before ? middle : 0;
}

// Everything in a tree, in order.
struct Members {
    std::vector<Value> values;
    std::vector<Str> keys;
    std::vector<KeyHash> hashes;
};
Members members_of(const Header* tree) {
    Members members;
    const std::size_t size = tree_size(tree);
    members.values.reserve(size);
    members.keys.reserve(size);
    members.hashes.reserve(size);
    for (std::size_t position = 0; position < size;) {
        const Leaf* leaf = locate(tree, position).leaf;
        members.values.insert(members.values.end(), leaf->items(), leaf->items() + leaf->size);
        const Keys* keys = leaf->keys;
        members.keys.insert(members.keys.end(), keys->names(), keys->names() + keys->size);
        members.hashes.insert(members.hashes.end(), keys->hashes(), keys->hashes() + keys->size);
        position += leaf->size;
    }
    return members;
}

}  // namespace

Big* big_build(std::span<Value> values, std::span<const Str> keys, std::span<const KeyHash> hashes,
               std::span<const SortedKey> sorted) noexcept {
    CHECK(sorted.size() == keys.size());
    std::vector<TrieEntry> entries(sorted.size());
    std::ranges::transform(sorted, entries.begin(), [](const SortedKey& key) {
        return TrieEntry{key.hash, (key.index + 1) * kSpacing};
    });
    return make_big(tree_build_keyed(values, keys, hashes, kSpacing), trie_build(entries));
}

namespace {

Big* big_of(Members& members) noexcept {
    return big_build(members.values, members.keys, members.hashes,
                     sort_keys<Str>(members.keys, members.hashes));
}

}  // namespace

Big* big_from_leaf(Leaf* leaf) noexcept {
    Members members = members_of(leaf);
    release(leaf);
    return big_of(members);
}

Spot big_find(const Big* big, std::string_view key) noexcept {
    return trie_find(big->trie, {big->tree, key, hash_key(key)});
}

namespace {

// Makes room for an id at `position` by spacing out the members around it. Small neighbourhoods are
// tried first; the larger one is, the more room it must have, so that it stays good for a number of
// insertions in proportion to its size: putting in n members at one spot costs O(n log² n) in all.
void make_room_for_id(Header*& node, std::size_t position) noexcept {
    Big* big = own(node);
    const std::size_t size = tree_size(big->tree);
    OrderId spacing_wanted = OrderId{1} << 6;
    for (std::size_t width = 16; width < size; width *= 4, spacing_wanted *= 4) {
        const std::size_t from = position > width / 2 ? position - width / 2 : 0;
        const std::size_t until = std::min(size, from + width);
        const OrderId before = from == 0 ? 0 : id_at(big->tree, from - 1);
        const OrderId after =
            until == size ? id_at(big->tree, size - 1) + kSpacing : id_at(big->tree, until);
        const OrderId spacing = (after - before) / (until - from + 1);
        if (after < before || spacing < spacing_wanted) {
            continue;
        }
        std::vector<OrderId> ids(until - from);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            ids[i] = before + (i + 1) * spacing;
            const Spot spot = locate(big->tree, from + i);
            const Keys* keys = spot.leaf->keys;
            trie_replace(big->trie, keys->hashes()[spot.index], keys->ids()[spot.index], ids[i]);
        }
        tree_set_ids(big->tree, from, ids);
        return;
    }
    Members members = members_of(big->tree);
    release(node);
    node = big_of(members);
}

}  // namespace

void big_insert(Header*& node, std::size_t position, const Str& key, Value value) noexcept {
    OrderId id = id_between(static_cast<Big*>(node)->tree, position);
    if (id == 0) {
        make_room_for_id(node, position);
        id = id_between(static_cast<Big*>(node)->tree, position);
        CHECK(id != 0);
    }
    Big* big = own(node);
    const KeyHash hash = hash_key(key);
    trie_insert(big->trie, {big->tree, key, hash}, id);
    tree_insert(big->tree, position, {std::move(value), &key, hash, id});
}

void big_erase(Header*& node, const Spot& spot) noexcept {
    // Copies, for own() may drop the leaf that the spot points into.
    const Str key = spot.leaf->keys->names()[spot.index];
    const KeyHash hash = spot.leaf->keys->hashes()[spot.index];
    const OrderId id = spot.leaf->keys->ids()[spot.index];
    const std::size_t position = spot.position;
    Big* big = own(node);
    trie_erase(big->trie, {big->tree, key, hash}, id);
    tree_erase(big->tree, position);
    if (tree_size(big->tree) > kFlatAgain) {
        return;
    }
    Members members = members_of(big->tree);
    release(node);
    node = tree_build_keyed(members.values, members.keys, members.hashes, 0);
}

}  // namespace arbiter::value::internal
