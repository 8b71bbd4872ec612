#include "value/object.h"

#include <algorithm>
#include <new>
#include <vector>

#include "base/check.h"
#include "value/internal/descent.h"
#include "value/internal/large_object.h"
#include "value/internal/tree.h"

namespace arbiter::value {

using internal::Access;
using internal::Big;
using internal::Header;
using internal::Leaf;
using internal::NodeKind;
using internal::Spot;

namespace {

Spot find_spot(Header* node, std::string_view key) noexcept {
    if (node == nullptr) {
        return {};
    }
    if (node->kind == NodeKind::kBig) {
        return internal::big_find(static_cast<Big*>(node), key);
    }
    const auto* leaf = static_cast<const Leaf*>(node);
    const std::size_t index = leaf->keys->find(key);
    return index == internal::kNone ? Spot{} : Spot{leaf, index, index};
}

}  // namespace

Object::Object(std::initializer_list<std::pair<Str, Value>> members) noexcept : Object() {
    const std::pair<Str, Value>* next = members.begin();
    if (members.size() > 0 && members.size() <= internal::kFlatMax) {
        // The members up to a repeated name, in one leaf.
        internal::Keys* keys = internal::Keys::make(members.size(), false);
        Leaf* leaf = Leaf::make(members.size(), keys);
        for (; next != members.end() && keys->find(next->first) == internal::kNone; ++next) {
            keys->append(next->first, internal::hash_key(next->first), 0);
            new (leaf->items() + leaf->size) Value(next->second);
            ++leaf->size;
            leaf->height = std::max(leaf->height, internal::height_above(next->second));
        }
        slot_ = Access::bits(Kind::kObject, leaf);
    }
    for (; next != members.end(); ++next) {
        *this = std::move(*this).set(next->first, next->second);
    }
}

const Value* Object::find(std::string_view key) const noexcept {
    const Spot spot = find_spot(internal::node_of(slot_), key);
    return spot.leaf != nullptr ? &spot.leaf->items()[spot.index] : nullptr;
}

bool Object::may_have_marks() const noexcept {
    const Header* node = internal::node_of(slot_);
    return node != nullptr &&
           (node->kind == NodeKind::kBig || static_cast<const Leaf*>(node)->keys->marked);
}

std::optional<std::size_t> Object::position_of(std::string_view key) const noexcept {
    const Spot spot = find_spot(internal::node_of(slot_), key);
    return spot.leaf != nullptr ? std::optional(spot.position) : std::nullopt;
}

std::optional<Object::Found> Object::locate(std::string_view key) const noexcept {
    const Spot spot = find_spot(internal::node_of(slot_), key);
    return spot.leaf != nullptr
               ? std::optional(Found{spot.position, &spot.leaf->items()[spot.index]})
               : std::nullopt;
}

Member Object::at(std::size_t position) const noexcept {
    CHECK(position < size());
    const Spot spot = internal::locate(tree(), position);
    return {spot.leaf->keys->names()[spot.index], spot.leaf->items()[spot.index]};
}

Object Object::set(const Str& key, Value value) && noexcept {
    const std::optional<std::size_t> position = position_of(key);
    if (!position) {
        const std::size_t end = size();
        return std::move(*this).insert(end, key, std::move(value));
    }
    Value self(std::move(*this));
    const std::size_t height = internal::height_above(value);
    {
        internal::Descent descent(self);
        descent.enter(*position, height);
        descent.finish(std::move(value));
    }
    std::swap(slot_, self.slot_);
    return std::move(*this);
}

Object Object::insert(std::size_t position, const Str& key, Value value) && noexcept {
    CHECK(position <= size());
    Header* node = internal::node_of(slot_);
    if (node != nullptr && node->kind != NodeKind::kBig && size() == internal::kFlatMax) {
        node = internal::big_from_leaf(static_cast<Leaf*>(node));
    }
    if (node != nullptr && node->kind == NodeKind::kBig) {
        internal::big_insert(node, position, key, std::move(value));
    } else {
        internal::tree_insert(node, position, {std::move(value), &key, internal::hash_key(key), 0});
    }
    slot_ = Access::bits(Kind::kObject, node);
    return std::move(*this);
}

Object Object::erase(std::string_view key) && noexcept {
    Header* node = internal::node_of(slot_);
    const Spot spot = find_spot(node, key);
    if (spot.leaf == nullptr) {
        return std::move(*this);
    }
    if (node->kind == NodeKind::kBig) {
        internal::big_erase(node, spot);
    } else {
        internal::tree_erase(node, spot.position);
    }
    slot_ = Access::bits(Kind::kObject, node);
    return std::move(*this);
}

Object Object::set(const Str& key, Value value) const& noexcept {
    return Object(*this).set(key, std::move(value));
}
Object Object::insert(std::size_t position, const Str& key, Value value) const& noexcept {
    return Object(*this).insert(position, key, std::move(value));
}
Object Object::erase(std::string_view key) const& noexcept {
    return Object(*this).erase(key);
}

bool operator==(const Object& a, const Object& b) noexcept {
    return Value(a) == Value(b);
}

}  // namespace arbiter::value
