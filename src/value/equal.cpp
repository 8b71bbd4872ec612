// Deep equality. What two versions share is equal without a look.
#include <algorithm>

#include "value/array.h"
#include "value/internal/pair_walk.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

using internal::Leaf;

// True when both were sealed and their hashes say that they differ.
bool known_different(const Value& a, const Value& b,
                     std::atomic<std::uint64_t> internal::SealCache::* hash) noexcept {
    internal::Header* left = internal::tree_of(a);
    internal::Header* right = internal::tree_of(b);
    if (left == nullptr || right == nullptr) {
        return left != right;
    }
    const std::uint64_t x = (internal::cache_of(left).*hash).load(std::memory_order_relaxed);
    const std::uint64_t y = (internal::cache_of(right).*hash).load(std::memory_order_relaxed);
    return x != 0 && y != 0 && x != y;
}

bool equal_arrays(const Value& a, const Value& b) noexcept {
    const Array& left = a.as_array();
    const Array& right = b.as_array();
    if (left.size() != right.size()) {
        return false;
    }
    return internal::for_each_unshared<internal::Direction::kForward>(
        internal::tree_of(a), internal::tree_of(b),
        [](std::size_t, const auto& x, const auto& y) { return x.value() == y.value(); });
}

bool equal_objects(const Value& a, const Value& b) noexcept {
    const Object& right = b.as_object();
    if (a.as_object().size() != right.size()) {
        return false;
    }
    const auto found_equal = [&right](const Leaf* leaf) {
        for (std::size_t i = 0; i < leaf->size; ++i) {
            const Value* other = right.find(leaf->keys->names()[i]);
            if (other == nullptr || !(leaf->items()[i] == *other)) {
                return false;
            }
        }
        return true;
    };
    return internal::walk_unshared_leaves(
        internal::tree_of(a), internal::tree_of(b),
        [&](const Leaf* left, const Leaf* other) {
            if (left != nullptr && other != nullptr && left->keys == other->keys) {
                return std::equal(left->items(), left->items() + left->size, other->items());
            }
            return left == nullptr || found_equal(left);
        },
        [](const internal::Header*) {});
}

}  // namespace

bool operator==(const Value& a, const Value& b) noexcept {
    if (a.is_identical(b)) {
        return true;
    }
    if (a.kind() != b.kind()) {
        return false;
    }
    switch (a.kind()) {
        case Kind::kNull:
        case Kind::kBool:
        case Kind::kInt:
        case Kind::kDouble:
            return false;  // one form each, so equal means identical
        case Kind::kString:
            return a.as_string() == b.as_string();
        case Kind::kArray:
            return !known_different(a, b, &internal::SealCache::loose) && equal_arrays(a, b);
        case Kind::kObject:
            return !known_different(a, b, &internal::SealCache::loose) && equal_objects(a, b);
    }
    return false;
}

bool same_bytes(const Value& a, const Value& b) noexcept {
    if (!a.is_container() || a.kind() != b.kind()) {
        return a == b;
    }
    if (a.is_identical(b)) {
        return true;
    }
    const internal::Header* left = internal::tree_of(a);
    const internal::Header* right = internal::tree_of(b);
    return internal::tree_size(left) == internal::tree_size(right) &&
           !known_different(a, b, &internal::SealCache::exact) &&
           internal::for_each_unshared<internal::Direction::kForward>(
               left, right, [&](std::size_t, const auto& x, const auto& y) {
                   const bool same_key = a.is_array() || x.key() == y.key();
                   return same_key && same_bytes(x.value(), y.value());
               });
}

bool operator==(const Array& a, const Array& b) noexcept {
    return Value(a) == Value(b);
}
bool operator==(const Object& a, const Object& b) noexcept {
    return Value(a) == Value(b);
}

}  // namespace arbiter::value
