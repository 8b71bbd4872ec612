#include "value/internal/trie.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "base/check.h"

namespace arbiter::value::internal {
namespace {

constexpr unsigned kBitsPerLevel = 5;

// The digit of a hash behind `shift` bits, from the top: so the order of a trie is that of hashes.
std::uint32_t digit_at(KeyHash hash, unsigned shift) noexcept {
    return static_cast<std::uint32_t>((hash << shift) >> (64 - kBitsPerLevel));
}
std::uint32_t bit_at(KeyHash hash, unsigned shift) noexcept {
    return std::uint32_t{1} << digit_at(hash, shift);
}
std::size_t rank(std::uint32_t map, std::uint32_t bit) noexcept {
    return static_cast<std::size_t>(std::popcount(map & (bit - 1)));
}
std::size_t entry_count(const Trie* node) noexcept {
    return static_cast<std::size_t>(std::popcount(node->entry_map));
}
std::size_t child_count(const Trie* node) noexcept {
    return static_cast<std::size_t>(std::popcount(node->child_map));
}

TrieEntry* entries(Trie* node) noexcept {
    return reinterpret_cast<TrieEntry*>(node + 1);
}
const TrieEntry* entries(const Trie* node) noexcept {
    return reinterpret_cast<const TrieEntry*>(node + 1);
}
Trie** children(Trie* node) noexcept {
    return reinterpret_cast<Trie**>(entries(node) + entry_count(node));
}
Trie* const* children(const Trie* node) noexcept {
    return reinterpret_cast<Trie* const*>(entries(node) + entry_count(node));
}
OrderId* ids(Trie* node) noexcept {
    return reinterpret_cast<OrderId*>(node + 1);
}
const OrderId* ids(const Trie* node) noexcept {
    return reinterpret_cast<const OrderId*>(node + 1);
}

Trie* make_branch(std::uint32_t entry_map, std::uint32_t child_map) noexcept {
    const auto size = static_cast<std::size_t>(std::popcount(entry_map)) * sizeof(TrieEntry) +
                      static_cast<std::size_t>(std::popcount(child_map)) * sizeof(Trie*);
    auto* node = new (allocate(sizeof(Trie) + size)) Trie();
    node->entry_map = entry_map;
    node->child_map = child_map;
    return node;
}

Trie* make_collision(KeyHash hash, std::size_t count) noexcept {
    auto* node = new (allocate(sizeof(Trie) + count * sizeof(OrderId))) Trie();
    node->is_collision = true;
    node->hash = hash;
    node->count = static_cast<std::uint32_t>(count);
    return node;
}

// Copies n items around a hole: `to` has one more at `index`.
template <typename T>
void copy_with_hole(T* to, const T* from, std::size_t n, std::size_t index) noexcept {
    std::memcpy(to, from, index * sizeof(T));
    std::memcpy(to + index + 1, from + index, (n - index) * sizeof(T));
}
// Copies all of n items but the one at `index`.
template <typename T>
void copy_without(T* to, const T* from, std::size_t n, std::size_t index) noexcept {
    std::memcpy(to, from, index * sizeof(T));
    std::memcpy(to + index, from + index + 1, (n - index - 1) * sizeof(T));
}

// Releases a node whose children were copied into `heir`. If the node was unshared, the references
// move to the heir (except that of `except`, which the caller handles); otherwise they are counted.
void hand_over(Trie* node, const Trie* heir, const Trie* except) noexcept {
    if (is_unique(node)) {
        deallocate(node);
        return;
    }
    for (std::size_t i = 0; i < child_count(heir); ++i) {
        if (children(heir)[i] != except) {
            retain(children(heir)[i]);
        }
    }
    release(node);
}

// Where a key belongs among the sorted ids of a collision, and whether it is there.
struct Found {
    std::size_t index;
    bool there;
};
Found search(const Trie* node, const KeyProbe& probe) noexcept {
    std::size_t low = 0;
    std::size_t high = node->count;
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        const std::strong_ordering order = probe.compare(ids(node)[middle]);
        if (order == 0) {
            return {middle, true};
        }
        (order < 0 ? low : high) = order < 0 ? middle + 1 : middle;
    }
    return {low, false};
}

// A node for an entry that is there and the new one.
Trie* join(TrieEntry old, const KeyProbe& probe, OrderId id, unsigned shift) noexcept {
    if (old.hash == probe.hash) {
        Trie* node = make_collision(old.hash, 2);
        const bool old_first = probe.compare(old.id) < 0;
        ids(node)[0] = old_first ? old.id : id;
        ids(node)[1] = old_first ? id : old.id;
        return node;
    }
    const std::uint32_t old_bit = bit_at(old.hash, shift);
    const std::uint32_t new_bit = bit_at(probe.hash, shift);
    if (old_bit == new_bit) {
        Trie* node = make_branch(0, old_bit);
        children(node)[0] = join(old, probe, id, shift + kBitsPerLevel);
        return node;
    }
    Trie* node = make_branch(old_bit | new_bit, 0);
    entries(node)[old_bit < new_bit ? 0 : 1] = old;
    entries(node)[old_bit < new_bit ? 1 : 0] = {probe.hash, id};
    return node;
}

// The branch with one more entry.
Trie* with_entry(Trie* node, std::uint32_t bit, TrieEntry entry) noexcept {
    Trie* copy = make_branch(node->entry_map | bit, node->child_map);
    const std::size_t index = rank(node->entry_map, bit);
    copy_with_hole(entries(copy), entries(node), entry_count(node), index);
    entries(copy)[index] = entry;
    std::memcpy(children(copy), children(node), child_count(node) * sizeof(Trie*));
    hand_over(node, copy, nullptr);
    return copy;
}

// The branch with the entry at `bit` turned into a child, or the other way round.
Trie* entry_to_child(Trie* node, std::uint32_t bit, Trie* child) noexcept {
    Trie* copy = make_branch(node->entry_map & ~bit, node->child_map | bit);
    copy_without(entries(copy), entries(node), entry_count(node), rank(node->entry_map, bit));
    const std::size_t index = rank(node->child_map, bit);
    copy_with_hole(children(copy), children(node), child_count(node), index);
    children(copy)[index] = child;
    hand_over(node, copy, child);
    return copy;
}
Trie* child_to_entry(Trie* node, std::uint32_t bit, TrieEntry entry) noexcept {
    Trie* copy = make_branch(node->entry_map | bit, node->child_map & ~bit);
    const std::size_t index = rank(node->entry_map, bit);
    copy_with_hole(entries(copy), entries(node), entry_count(node), index);
    entries(copy)[index] = entry;
    copy_without(children(copy), children(node), child_count(node), rank(node->child_map, bit));
    hand_over(node, copy, nullptr);
    return copy;
}
Trie* without_entry(Trie* node, std::uint32_t bit) noexcept {
    Trie* copy = make_branch(node->entry_map & ~bit, node->child_map);
    copy_without(entries(copy), entries(node), entry_count(node), rank(node->entry_map, bit));
    std::memcpy(children(copy), children(node), child_count(node) * sizeof(Trie*));
    hand_over(node, copy, nullptr);
    return copy;
}

// The node behind `ref`, writable in place.
Trie* own(Trie*& ref) noexcept {
    if (is_unique(ref)) {
        return ref;
    }
    if (ref->is_collision) {
        Trie* copy = make_collision(ref->hash, ref->count);
        std::memcpy(ids(copy), ids(ref), ref->count * sizeof(OrderId));
        release(ref);
        ref = copy;
        return copy;
    }
    Trie* copy = make_branch(ref->entry_map, ref->child_map);
    std::memcpy(entries(copy), entries(ref), entry_count(ref) * sizeof(TrieEntry));
    std::memcpy(children(copy), children(ref), child_count(ref) * sizeof(Trie*));
    for (std::size_t i = 0; i < child_count(copy); ++i) {
        retain(children(copy)[i]);
    }
    release(ref);
    ref = copy;
    return copy;
}

void insert(Trie*& ref, unsigned shift, const KeyProbe& probe, OrderId id) noexcept {
    if (ref->is_collision) {
        if (ref->hash != probe.hash) {
            // Put the collision one level down and continue with the branch.
            Trie* branch = make_branch(0, bit_at(ref->hash, shift));
            children(branch)[0] = ref;
            ref = branch;
            insert(ref, shift, probe, id);
            return;
        }
        const Found found = search(ref, probe);
        CHECK(!found.there);
        Trie* copy = make_collision(ref->hash, ref->count + 1U);
        copy_with_hole(ids(copy), ids(ref), ref->count, found.index);
        ids(copy)[found.index] = id;
        release(ref);
        ref = copy;
        return;
    }
    const std::uint32_t bit = bit_at(probe.hash, shift);
    if ((ref->child_map & bit) != 0) {
        Trie* node = own(ref);
        insert(children(node)[rank(node->child_map, bit)], shift + kBitsPerLevel, probe, id);
    } else if ((ref->entry_map & bit) != 0) {
        const TrieEntry old = entries(ref)[rank(ref->entry_map, bit)];
        ref = entry_to_child(ref, bit, join(old, probe, id, shift + kBitsPerLevel));
    } else {
        ref = with_entry(ref, bit, {probe.hash, id});
    }
}

std::string_view key_of(const Header* tree, OrderId id) noexcept {
    const Spot spot = locate_id(tree, id);
    CHECK(spot.leaf != nullptr);
    return spot.leaf->keys->names()[spot.index].view();
}

Trie* build(std::span<const TrieEntry> all, unsigned shift) noexcept {
    if (all.size() > 1 && all.front().hash == all.back().hash) {
        Trie* node = make_collision(all.front().hash, all.size());
        std::ranges::transform(all, ids(node), &TrieEntry::id);
        return node;
    }
    // One pass finds which digits are alone, the next fills the node.
    std::uint32_t entry_map = 0;
    std::uint32_t child_map = 0;
    for (const TrieEntry& entry : all) {
        const std::uint32_t bit = bit_at(entry.hash, shift);
        child_map |= entry_map & bit;
        entry_map |= bit;
    }
    Trie* node = make_branch(entry_map & ~child_map, child_map);
    TrieEntry* next_entry = entries(node);
    Trie** next_child = children(node);
    for (std::size_t from = 0; from < all.size();) {
        const std::uint32_t digit = digit_at(all[from].hash, shift);
        std::size_t until = from + 1;
        while (until < all.size() && digit_at(all[until].hash, shift) == digit) {
            ++until;
        }
        if (until == from + 1) {
            *next_entry++ = all[from];
        } else {
            *next_child++ = build(all.subspan(from, until - from), shift + kBitsPerLevel);
        }
        from = until;
    }
    return node;
}

// The only entry of a node that has just one, so that its parent can hold it.
std::optional<TrieEntry> only_entry(const Trie* node) noexcept {
    if (node->is_collision) {
        return node->count == 1 ? std::optional<TrieEntry>({node->hash, ids(node)[0]})
                                : std::nullopt;
    }
    return node->child_map == 0 && entry_count(node) == 1 ? std::optional(entries(node)[0])
                                                          : std::nullopt;
}

void erase(Trie*& ref, unsigned shift, const KeyProbe& probe, OrderId id) noexcept {
    if (ref->is_collision) {
        const Found found = search(ref, probe);
        CHECK(ref->hash == probe.hash && found.there && ids(ref)[found.index] == id);
        Trie* copy = make_collision(ref->hash, ref->count - 1U);
        copy_without(ids(copy), ids(ref), ref->count, found.index);
        release(ref);
        ref = copy;
        return;
    }
    const std::uint32_t bit = bit_at(probe.hash, shift);
    if ((ref->entry_map & bit) != 0) {
        CHECK(entries(ref)[rank(ref->entry_map, bit)].id == id);
        ref = without_entry(ref, bit);
        return;
    }
    CHECK((ref->child_map & bit) != 0);
    Trie* node = own(ref);
    Trie*& child = children(node)[rank(node->child_map, bit)];
    erase(child, shift + kBitsPerLevel, probe, id);
    if (const std::optional<TrieEntry> last = only_entry(child)) {
        release(child);
        ref = child_to_entry(node, bit, *last);
    }
}

}  // namespace

std::strong_ordering KeyProbe::compare(OrderId id) const noexcept {
    return key_of(tree, id) <=> key;
}

Spot trie_find(const Trie* trie, const KeyProbe& probe) noexcept {
    unsigned shift = 0;
    while (!trie->is_collision) {
        const std::uint32_t bit = bit_at(probe.hash, shift);
        if ((trie->entry_map & bit) != 0) {
            const TrieEntry& entry = entries(trie)[rank(trie->entry_map, bit)];
            if (entry.hash != probe.hash) {
                return {};
            }
            const Spot spot = locate_id(probe.tree, entry.id);
            return spot.leaf->keys->names()[spot.index].view() == probe.key ? spot : Spot{};
        }
        if ((trie->child_map & bit) == 0) {
            return {};
        }
        trie = children(trie)[rank(trie->child_map, bit)];
        shift += kBitsPerLevel;
    }
    if (trie->hash != probe.hash) {
        return {};
    }
    const Found found = search(trie, probe);
    return found.there ? locate_id(probe.tree, ids(trie)[found.index]) : Spot{};
}

Trie* trie_build(std::span<const TrieEntry> sorted) noexcept {
    return build(sorted, 0);
}

void trie_insert(Trie*& trie, const KeyProbe& probe, OrderId id) noexcept {
    insert(trie, 0, probe, id);
}

void trie_erase(Trie*& trie, const KeyProbe& probe, OrderId id) noexcept {
    erase(trie, 0, probe, id);
}

void trie_replace(Trie*& trie, KeyHash hash, OrderId old_id, OrderId new_id) noexcept {
    Trie** ref = &trie;
    for (unsigned shift = 0;; shift += kBitsPerLevel) {
        Trie* node = own(*ref);
        if (node->is_collision) {
            OrderId* const end = ids(node) + node->count;
            OrderId* const found = std::find(ids(node), end, old_id);
            CHECK(node->hash == hash && found != end);
            *found = new_id;
            return;
        }
        const std::uint32_t bit = bit_at(hash, shift);
        if ((node->entry_map & bit) != 0) {
            TrieEntry& entry = entries(node)[rank(node->entry_map, bit)];
            CHECK(entry.hash == hash && entry.id == old_id);
            entry.id = new_id;
            return;
        }
        CHECK((node->child_map & bit) != 0);
        ref = &children(node)[rank(node->child_map, bit)];
    }
}

void trie_release_children(Trie* trie) noexcept {
    if (!trie->is_collision) {
        for (std::size_t i = 0; i < child_count(trie); ++i) {
            release(children(trie)[i]);
        }
    }
}

}  // namespace arbiter::value::internal
