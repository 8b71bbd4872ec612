#include "value/internal/tree.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <new>

#include "base/check.h"
#include "base/limits.h"

namespace arbiter::value::internal {
namespace {

// Values and children may be moved as bytes: nothing points at where they lie.
template <typename T>
void relocate(T* to, const T* from, std::size_t count) noexcept {
    std::memmove(static_cast<void*>(to), from, count * sizeof(T));
}

std::uint16_t taller(std::uint16_t a, std::uint16_t b) noexcept {
    return std::max(a, b);
}

// The leaf behind `ref`, writable, with room for `capacity` values.
Leaf* own_leaf(Header*& ref, std::size_t capacity) noexcept {
    auto* leaf = static_cast<Leaf*>(ref);
    if (!is_unique(leaf)) {
        ref = clone_leaf(leaf, std::max<std::size_t>(capacity, leaf->size));
        release(leaf);
        return static_cast<Leaf*>(ref);
    }
    leaf->cache.reset();
    if (leaf->capacity >= capacity) {
        return leaf;
    }
    // Grow in powers of two, so that pushing one by one copies little.
    Leaf* larger = Leaf::make(std::min(kFlatMax, std::bit_ceil(capacity)), leaf->keys);
    relocate(larger->items(), leaf->items(), leaf->size);
    larger->size = leaf->size;
    larger->height = leaf->height;
    deallocate(leaf);
    ref = larger;
    return larger;
}

// The keys of a leaf, writable, with room for `capacity` names.
Keys* own_keys(Leaf* leaf, std::size_t capacity) noexcept {
    Keys* keys = leaf->keys;
    if (is_unique(keys) && keys->capacity >= capacity) {
        return keys;
    }
    const std::size_t room = std::min(kFlatMax, std::bit_ceil(capacity));
    leaf->keys = keys->clone(std::max<std::size_t>(room, keys->size), keys->has_ids);
    release(keys);
    return leaf->keys;
}

Inner* own_inner(Header*& ref) noexcept {
    auto* inner = static_cast<Inner*>(ref);
    if (is_unique(inner)) {
        inner->cache.reset();
        return inner;
    }
    ref = clone_inner(inner);
    release(inner);
    return static_cast<Inner*>(ref);
}

OrderId first_id(const Header* node) noexcept {
    if (node->kind == NodeKind::kInner) {
        return static_cast<const Inner*>(node)->children()[0].first_id;
    }
    const auto* leaf = static_cast<const Leaf*>(node);
    return leaf->keys != nullptr && leaf->keys->has_ids ? leaf->keys->ids()[0] : 0;
}

Inner::Child child_of(Header* node) noexcept {
    return {node, tree_size(node), first_id(node)};
}

void leaf_insert(Leaf* leaf, std::size_t index, Entry& entry) noexcept {
    CHECK(leaf->size < leaf->capacity && index <= leaf->size);
    if (leaf->keys != nullptr) {
        own_keys(leaf, leaf->size + 1U)->insert(index, *entry.key, entry.hash, entry.id);
    }
    Value* items = leaf->items();
    relocate(items + index + 1, items + index, leaf->size - index);
    leaf->height = taller(leaf->height, height_above(entry.value));
    new (items + index) Value(std::move(entry.value));
    ++leaf->size;
}

void leaf_erase(Leaf* leaf, std::size_t index) noexcept {
    CHECK(index < leaf->size);
    if (leaf->keys != nullptr) {
        own_keys(leaf, leaf->size)->erase(index);
    }
    Value* items = leaf->items();
    items[index].~Value();
    relocate(items + index, items + index + 1, leaf->size - index - 1U);
    --leaf->size;
}

Leaf* one_entry_leaf(Entry& entry, bool keyed, bool with_ids) noexcept {
    Leaf* leaf = Leaf::make(4, keyed ? Keys::make(4, with_ids) : nullptr);
    leaf_insert(leaf, 0, entry);
    return leaf;
}

// Moves the values from `at` on into a new leaf to the right.
Leaf* split_leaf(Leaf* leaf, std::size_t at) noexcept {
    const std::size_t moved = leaf->size - at;
    Keys* right_keys = nullptr;
    if (leaf->keys != nullptr) {
        Keys* keys = leaf->keys;
        right_keys = Keys::make(kNodeMax, keys->has_ids);
        Keys* left_keys = Keys::make(kNodeMax, keys->has_ids);
        for (std::size_t i = 0; i < keys->size; ++i) {
            Keys* to = i < at ? left_keys : right_keys;
            to->append(keys->names()[i], keys->hashes()[i], keys->has_ids ? keys->ids()[i] : 0);
        }
        leaf->keys = left_keys;
        release(keys);
    }
    Leaf* right = Leaf::make(kNodeMax, right_keys);
    relocate(right->items(), leaf->items() + at, moved);
    right->size = static_cast<std::uint16_t>(moved);
    right->height = leaf->height;
    leaf->size = static_cast<std::uint16_t>(at);
    return right;
}

// Puts a child into an inner node that has room.
void put_child(Inner* inner, std::size_t index, Header* node) noexcept {
    CHECK(inner->size < kNodeMax);
    Inner::Child* children = inner->children();
    relocate(children + index + 1, children + index, inner->size - index);
    children[index] = child_of(node);
    ++inner->size;
    inner->height = taller(inner->height, node->height);
    inner->level = static_cast<std::uint16_t>(level_of(node) + 1);
}

void recount(Inner* inner) noexcept {
    inner->count = 0;
    for (std::size_t i = 0; i < inner->size; ++i) {
        inner->count += inner->children()[i].count;
    }
}

// Which end of the whole tree an insertion is at, if any. There a full node stays full and the new
// neighbour begins with one member, so that growing at one end makes full nodes. Anywhere else a
// node is split in halves: thin nodes in the middle would add up to a tree of any height.
enum class Edge : std::uint8_t { kNone, kFront, kBack };

// Inserts below `ref`; returns the new right neighbour of `ref` when it had to be split.
Header* insert_below(Header*& ref, std::size_t position, Entry& entry, Edge edge) noexcept {
    if (ref->kind == NodeKind::kLeaf) {
        auto* leaf = static_cast<Leaf*>(ref);
        if (leaf->size < kNodeMax) {
            leaf_insert(own_leaf(ref, leaf->size + 1U), position, entry);
            return nullptr;
        }
        const bool keyed = leaf->keys != nullptr;
        const bool with_ids = keyed && leaf->keys->has_ids;
        if (edge == Edge::kBack) {
            return one_entry_leaf(entry, keyed, with_ids);
        }
        if (edge == Edge::kFront) {
            Header* right = ref;
            ref = one_entry_leaf(entry, keyed, with_ids);
            return right;
        }
        leaf = own_leaf(ref, kNodeMax);
        Leaf* right = split_leaf(leaf, kNodeMax / 2);
        if (position <= leaf->size) {
            leaf_insert(leaf, position, entry);
        } else {
            leaf_insert(right, position - leaf->size, entry);
        }
        return right;
    }
    Inner* inner = own_inner(ref);
    std::size_t inside = position;
    const std::size_t index = child_at(inner, inside);
    Inner::Child& child = inner->children()[index];
    Header* extra = insert_below(child.node, inside, entry, edge);
    child = child_of(child.node);
    inner->height = taller(inner->height, child.node->height);
    if (extra == nullptr) {
        ++inner->count;
        return nullptr;
    }
    if (inner->size < kNodeMax) {
        put_child(inner, index + 1, extra);
        ++inner->count;
        return nullptr;
    }
    Inner* right = Inner::make();
    const std::size_t at = edge == Edge::kBack ? kNodeMax : kNodeMax / 2;
    for (std::size_t i = at; i < kNodeMax; ++i) {
        put_child(right, i - at, inner->children()[i].node);
    }
    inner->size = static_cast<std::uint16_t>(at);
    if (index + 1 <= at && at != kNodeMax) {
        put_child(inner, index + 1, extra);
    } else {
        put_child(right, index + 1 - at, extra);
    }
    recount(inner);
    recount(right);
    return right;
}

std::size_t fill_of(const Header* node) noexcept {
    return node->kind == NodeKind::kLeaf ? static_cast<const Leaf*>(node)->size
                                         : static_cast<const Inner*>(node)->size;
}

// Appends all of child index + 1 to child index and removes it.
void merge_children(Inner* inner, std::size_t index) noexcept {
    Inner::Child& left = inner->children()[index];
    Header* right_node = inner->children()[index + 1].node;
    if (left.node->kind == NodeKind::kLeaf) {
        auto* right = static_cast<Leaf*>(right_node);
        Leaf* leaf = own_leaf(left.node, fill_of(left.node) + right->size);
        for (std::size_t i = 0; i < right->size; ++i) {
            Entry entry{right->items()[i]};
            if (right->keys != nullptr) {
                entry.key = &right->keys->names()[i];
                entry.hash = right->keys->hashes()[i];
                entry.id = right->keys->has_ids ? right->keys->ids()[i] : 0;
            }
            leaf_insert(leaf, leaf->size, entry);
        }
    } else {
        auto* right = static_cast<Inner*>(right_node);
        Inner* target = own_inner(left.node);
        for (std::size_t i = 0; i < right->size; ++i) {
            retain(right->children()[i].node);
            put_child(target, target->size, right->children()[i].node);
        }
        recount(target);
    }
    left = child_of(left.node);
    release(right_node);
    Inner::Child* children = inner->children();
    relocate(children + index + 1, children + index + 2, inner->size - index - 2U);
    --inner->size;
}

void erase_below(Header*& ref, std::size_t position) noexcept {
    if (ref->kind == NodeKind::kLeaf) {
        leaf_erase(own_leaf(ref, 0), position);
        return;
    }
    Inner* inner = own_inner(ref);
    const std::size_t index = child_at(inner, position);
    Inner::Child* children = inner->children();
    erase_below(children[index].node, position);
    --inner->count;
    if (fill_of(children[index].node) == 0) {
        release(children[index].node);
        relocate(children + index, children + index + 1, inner->size - index - 1U);
        --inner->size;
        return;
    }
    children[index] = child_of(children[index].node);
    // Neighbours that fit into one node become one, so a tree that shrinks also gets shallower.
    for (const std::size_t left : {index, index - 1}) {
        if (left < inner->size && left + 1U < inner->size &&
            fill_of(children[left].node) + fill_of(children[left + 1].node) <= kNodeMax) {
            merge_children(inner, left);
            return;
        }
    }
}

// Inner nodes over a row of nodes, level by level, until one is left.
Header* build_above(std::span<Header*> row) noexcept {
    std::size_t count = row.size();
    while (count > 1) {
        const std::size_t parents = (count + kNodeMax - 1) / kNodeMax;
        std::size_t from = 0;
        for (std::size_t p = 0; p < parents; ++p) {
            // Shared out evenly, so that no last node is left with one child.
            const std::size_t until = (p + 1) * count / parents;
            Inner* inner = Inner::make();
            for (; from < until; ++from) {
                put_child(inner, inner->size, row[from]);
            }
            recount(inner);
            row[p] = inner;
        }
        count = parents;
    }
    return row[0];
}

}  // namespace

Leaf* Leaf::make(std::size_t capacity, Keys* leaf_keys) noexcept {
    auto* leaf = new (allocate(sizeof(Leaf) + capacity * sizeof(Value))) Leaf();
    leaf->capacity = static_cast<std::uint16_t>(capacity);
    leaf->keys = leaf_keys;
    leaf->height = 1;
    return leaf;
}

Inner* Inner::make() noexcept {
    return new (allocate(sizeof(Inner) + kNodeMax * sizeof(Child))) Inner();
}

Leaf* clone_leaf(const Leaf* leaf, std::size_t capacity, std::size_t skip) noexcept {
    if (leaf->keys != nullptr) {
        retain(leaf->keys);
    }
    Leaf* copy = Leaf::make(capacity, leaf->keys);
    copy->size = leaf->size;
    copy->height = leaf->height;
    // Copied and counted in one pass: a leaf is too small for memmove to pay.
    const auto* from = reinterpret_cast<const Slot*>(leaf->items());
    auto* to = reinterpret_cast<Slot*>(copy->items());
    for (std::size_t i = 0; i < leaf->size; ++i) {
        to[i] = from[i];
        if (i != skip) {
            retain(from[i]);
        }
    }
    return copy;
}

Inner* clone_inner(const Inner* inner, std::size_t skip) noexcept {
    Inner* copy = Inner::make();
    copy->size = inner->size;
    copy->level = inner->level;
    copy->height = inner->height;
    copy->count = inner->count;
    const Inner::Child* from = inner->children();
    Inner::Child* to = copy->children();
    for (std::size_t i = 0; i < inner->size; ++i) {
        to[i] = from[i];
        if (i != skip) {
            retain(from[i].node);
        }
    }
    return copy;
}

std::size_t child_at(const Inner* inner, std::size_t& position) noexcept {
    const Inner::Child* children = inner->children();
    std::size_t index = 0;
    // A position at the very end belongs to the last child.
    while (index + 1U < inner->size && position >= children[index].count) {
        position -= children[index].count;
        ++index;
    }
    return index;
}

Spot locate(const Header* tree, std::size_t position) noexcept {
    std::size_t inside = position;
    while (tree->kind == NodeKind::kInner) {
        const auto* inner = static_cast<const Inner*>(tree);
        tree = inner->children()[child_at(inner, inside)].node;
    }
    return {static_cast<const Leaf*>(tree), inside, position};
}

Spot locate_id(const Header* tree, OrderId id) noexcept {
    std::size_t position = 0;
    while (tree->kind == NodeKind::kInner) {
        const auto* inner = static_cast<const Inner*>(tree);
        const Inner::Child* children = inner->children();
        std::size_t index = 0;
        while (index + 1U < inner->size && children[index + 1].first_id <= id) {
            position += children[index].count;
            ++index;
        }
        tree = children[index].node;
    }
    const auto* leaf = static_cast<const Leaf*>(tree);
    const OrderId* ids = leaf->keys->ids();
    const OrderId* found = std::lower_bound(ids, ids + leaf->size, id);
    if (found == ids + leaf->size || *found != id) {
        return {};
    }
    const auto index = static_cast<std::size_t>(found - ids);
    return {leaf, index, position + index};
}

namespace {

void set_ids_below(Header*& ref, std::size_t from, std::span<const OrderId> ids) noexcept {
    if (ref->kind == NodeKind::kLeaf) {
        Leaf* leaf = own_leaf(ref, 0);
        std::ranges::copy(ids, own_keys(leaf, leaf->size)->ids() + from);
        return;
    }
    Inner* inner = own_inner(ref);
    std::size_t start = 0;
    for (std::size_t i = 0; i < inner->size; ++i) {
        Inner::Child& child = inner->children()[i];
        const std::size_t low = std::max(start, from);
        const std::size_t high = std::min(start + child.count, from + ids.size());
        if (low < high) {
            set_ids_below(child.node, low - start, ids.subspan(low - from, high - low));
            child = child_of(child.node);
        }
        start += child.count;
    }
}

}  // namespace

void tree_set_ids(Header*& tree, std::size_t from, std::span<const OrderId> ids) noexcept {
    set_ids_below(tree, from, ids);
}

void tree_erase(Header*& tree, std::size_t position) noexcept {
    erase_below(tree, position);
    while (tree->kind == NodeKind::kInner && fill_of(tree) == 1) {
        Header* only = static_cast<Inner*>(tree)->children()[0].node;
        retain(only);
        release(tree);
        tree = only;
    }
    if (fill_of(tree) == 0) {
        release(tree);
        tree = nullptr;
    }
}

namespace {

// Cuts the values into evenly filled leaves and builds the tree over them; up to `flat_max` make
// one leaf.
template <typename MakeKeys>
Header* build(std::span<Value> values, std::size_t flat_max, MakeKeys make_keys) noexcept {
    const std::size_t leaves =
        values.size() <= flat_max ? 1 : (values.size() + kNodeMax - 1) / kNodeMax;
    auto** row = static_cast<Header**>(allocate(leaves * sizeof(Header*)));
    std::size_t from = 0;
    for (std::size_t l = 0; l < leaves; ++l) {
        const std::size_t until = (l + 1) * values.size() / leaves;
        Leaf* leaf = Leaf::make(until - from, make_keys(from, until));
        relocate(leaf->items(), values.data() + from, until - from);
        leaf->size = static_cast<std::uint16_t>(until - from);
        for (std::size_t i = 0; i < leaf->size; ++i) {
            leaf->height = taller(leaf->height, height_above(leaf->items()[i]));
        }
        from = until;
        row[l] = leaf;
    }
    // The references were moved as bytes; the old slots must not release them again.
    std::memset(static_cast<void*>(values.data()), 0, values.size_bytes());
    Header* root = build_above({row, leaves});
    deallocate(row);
    return root;
}

}  // namespace

Header* tree_build(std::span<Value> values) noexcept {
    if (values.empty()) {
        return nullptr;
    }
    return build(values, kFlatMax, [](std::size_t, std::size_t) -> Keys* { return nullptr; });
}

Header* tree_build_keyed(std::span<Value> values, std::span<const Str> keys,
                         std::span<const KeyHash> hashes, OrderId spacing) noexcept {
    CHECK(!values.empty() && keys.size() == values.size() && hashes.size() == values.size());
    return build(values, spacing == 0 ? kFlatMax : kNodeMax,
                 [&](std::size_t from, std::size_t until) {
                     Keys* block = Keys::make(until - from, spacing != 0);
                     for (std::size_t i = from; i < until; ++i) {
                         block->append(keys[i], hashes[i], (i + 1) * spacing);
                     }
                     return block;
                 });
}

void tree_insert(Header*& tree, std::size_t position, Entry entry) noexcept {
    if (tree == nullptr) {
        tree = one_entry_leaf(entry, entry.key != nullptr, false);
        return;
    }
    if (tree->kind == NodeKind::kLeaf) {
        const std::size_t size = tree_size(tree);
        if (size < kFlatMax) {
            leaf_insert(own_leaf(tree, size + 1), position, entry);
            return;
        }
        // Too large to be flat; objects have become a Big before (internal/large_object.h).
        CHECK(entry.key == nullptr);
        const auto* leaf = static_cast<const Leaf*>(tree);
        std::array<Value, kFlatMax + 1> all;
        std::copy_n(leaf->items(), position, all.begin());
        all[position] = std::move(entry.value);
        std::copy(leaf->items() + position, leaf->items() + size,
                  all.begin() + static_cast<std::ptrdiff_t>(position) + 1);
        release(tree);
        tree = tree_build(all);
        return;
    }
    const Edge edge = position == tree_size(tree) ? Edge::kBack
                      : position == 0             ? Edge::kFront
                                                  : Edge::kNone;
    Header* extra = insert_below(tree, position, entry, edge);
    if (extra != nullptr) {
        Inner* root = Inner::make();
        put_child(root, 0, tree);
        put_child(root, 1, extra);
        recount(root);
        tree = root;
    }
}

std::uint16_t height_of(const Value& value) noexcept {
    if (!value.is_container()) {
        return 0;
    }
    const Slot& slot = Access::slot(value);
    if (!is_counted(slot)) {
        return 1;
    }
    return order_tree(node_of(slot))->height;
}

std::uint16_t height_above(const Value& value) noexcept {
    const auto bound = static_cast<std::uint16_t>(height_of(value) + 1);
    if (bound <= base::kDepthBuildMax) {
        return bound;
    }
    // The bound may be loose: it never shrinks when deep members go. Only code that nests without
    // limit gets past the exact depth.
    const std::size_t exact = value.depth() + 1;
    CHECK(exact <= base::kDepthBuildMax);
    return static_cast<std::uint16_t>(exact);
}

}  // namespace arbiter::value::internal
