#include "value/value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "base/limits.h"
#include "value/array.h"
#include "value/internal/pair_walk.h"
#include "value/number.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

using internal::Leaf;

// Measures depth, visiting each node once, since a document may share one part many times.
class Depth {
  public:
    std::size_t of(const Value& value) {
        if (!value.is_container()) {
            return 0;
        }
        const internal::Slot& slot = internal::Access::slot(value);
        if (!internal::is_counted(slot)) {
            return 1;
        }
        const internal::Header* node = internal::node_of(slot);
        if (const auto known = known_.find(node); known != known_.end()) {
            return known->second;
        }
        std::size_t deepest = 0;
        if (value.is_array()) {
            for (const Value& item : value.as_array()) {
                deepest = std::max(deepest, of(item));
            }
        } else {
            for (const auto& [key, item] : value.as_object()) {
                deepest = std::max(deepest, of(item));
            }
        }
        known_.emplace(node, deepest + 1);
        return deepest + 1;
    }

  private:
    std::unordered_map<const internal::Header*, std::size_t> known_;
};

// True if both are sealed and their hashes differ. Equality skips what two versions share.
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

internal::Slot Value::number(double value) noexcept {
    if (!std::isfinite(value)) {
        return {};
    }
    if (const auto integer = whole(value)) {
        return {static_cast<std::uint64_t>(*integer), tag(Kind::kInt)};
    }
    return {std::bit_cast<std::uint64_t>(value), tag(Kind::kDouble)};
}

double Value::as_double() const noexcept {
    CHECK(is_number());
    return is_int() ? static_cast<double>(as_int()) : std::bit_cast<double>(slot_.lo);
}

Str Value::as_str() const noexcept {
    CHECK(is_string());
    Str text;
    internal::retain(slot_);
    text.slot_ = slot_;
    return text;
}

std::size_t Value::depth() const noexcept {
    return Depth().of(*this);
}

bool Value::is_deeper_than(std::size_t levels) const noexcept {
    return internal::height_of(*this) > levels && depth() > levels;
}

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

std::string_view name(Kind kind) noexcept {
    switch (kind) {
        case Kind::kNull:
            return "null";
        case Kind::kBool:
            return "boolean";
        case Kind::kInt:
        case Kind::kDouble:
            return "number";
        case Kind::kString:
            return "string";
        case Kind::kArray:
            return "array";
        case Kind::kObject:
            return "object";
    }
    return {};
}

}  // namespace arbiter::value
