#include "value/internal/builder.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "base/check.h"
#include "value/internal/large_object.h"

namespace arbiter::value::internal {
namespace {

constexpr std::size_t kShapes = 512;  // a power of two

// A few bytes of a key, enough to tell most shapes apart.
std::uint64_t glimpse(std::string_view key) noexcept {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, key.data(), std::min(key.size(), sizeof bytes));
    return bytes + key.size() * 0x9E3779B97F4A7C15ULL;
}

std::size_t shape_index(std::span<const std::string_view> keys) noexcept {
    std::uint64_t mixed = keys.size();
    mixed = (mixed ^ glimpse(keys.front())) * 0xD6E8FEB86659FD93ULL;
    mixed = (mixed ^ (mixed >> 29) ^ glimpse(keys.back())) * 0xD6E8FEB86659FD93ULL;
    return (mixed >> 40) & (kShapes - 1);
}

bool has_shape(const Keys* shape, std::span<const std::string_view> keys) noexcept {
    if (shape == nullptr || shape->size != keys.size()) {
        return false;
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (shape->names()[i].view() != keys[i]) {
            return false;
        }
    }
    return true;
}

Leaf* leaf_of(Slot* values, std::size_t count, Keys* keys) noexcept {
    Leaf* leaf = Leaf::make(count, keys);
    leaf->size = static_cast<std::uint16_t>(count);
    std::memcpy(static_cast<void*>(leaf->items()), values, count * sizeof(Slot));
    for (std::size_t i = 0; i < count; ++i) {
        if (leaf->items()[i].is_container()) {
            leaf->height = std::max(leaf->height, height_above(leaf->items()[i]));
        }
    }
    return leaf;
}

}  // namespace

Builder::Builder() noexcept : shapes_(kShapes, nullptr) {}

Builder::~Builder() {
    for (const Slot& slot : values_) {
        release(slot);
    }
    for (Keys* shape : shapes_) {
        if (shape != nullptr) {
            release(shape);
        }
    }
}

Value Builder::take() {
    CHECK(values_.size() == 1 && keys_.empty());
    Value value;
    Access::slot(value) = values_.back();
    values_.clear();
    return value;
}

void Builder::replace_last(std::size_t count, Kind kind, Header* node) {
    values_.resize(values_.size() - count);
    values_.push_back(Access::bits(kind, node));
}

void Builder::close_array(std::size_t count) {
    Header* node = nullptr;
    if (count > kLeafMax) {
        node = tree_build({reinterpret_cast<Value*>(last(count)), count});
    } else if (count > 0) {
        node = leaf_of(last(count), count, nullptr);
    }
    replace_last(count, Kind::kArray, node);
}

bool Builder::close_object(std::size_t count) {
    CHECK(count <= keys_.size() && count <= values_.size());
    if (count == 0) {
        replace_last(0, Kind::kObject, nullptr);
        return false;
    }
    const std::span<const std::string_view> keys(keys_.data() + (keys_.size() - count), count);
    const bool repeated = count <= kLeafMax ? close_small(keys) : close_large(keys);
    keys_.resize(keys_.size() - count);
    return repeated;
}

// The shared Keys of these names, new or old; a name that comes again is left out.
Keys* Builder::shape(std::span<const std::string_view> keys) {
    Keys*& known = shapes_[shape_index(keys)];
    if (has_shape(known, keys)) {
        retain(known);
        return known;
    }
    Keys* made = Keys::make(keys.size(), false);
    for (const std::string_view key : keys) {
        if (made->find(key) == kNone) {
            made->insert(made->size, Str(key), hash_key(key), 0);
        }
    }
    if (made->size == keys.size()) {
        if (known != nullptr) {
            release(known);
        }
        retain(made);
        known = made;
    }
    return made;
}

bool Builder::close_small(std::span<const std::string_view> keys) {
    Keys* names = shape(keys);
    const bool repeated = names->size != keys.size();
    Slot* values = last(keys.size());
    if (repeated) {
        // The last value of a name goes to the place of the first.
        std::size_t kept = 0;
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const std::size_t place = names->find(keys[i]);
            if (place < kept) {
                release(std::exchange(values[place], values[i]));
            } else {
                values[kept++] = values[i];
            }
        }
    }
    Leaf* leaf = leaf_of(values, names->size, names);
    replace_last(keys.size(), Kind::kObject, leaf);
    return repeated;
}

bool Builder::close_large(std::span<const std::string_view> keys) {
    struct Named {
        KeyHash hash;
        std::size_t index;
    };
    std::vector<Named> order(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        order[i] = {hash_key(keys[i]), i};
    }
    // Sorting finds repeated names in O(n log n) even when all hashes are the same.
    std::vector<Named> sorted = order;
    std::ranges::sort(sorted, [keys](const Named& a, const Named& b) {
        if (a.hash != b.hash) {
            return a.hash < b.hash;
        }
        const int names = keys[a.index].compare(keys[b.index]);
        return names != 0 ? names < 0 : a.index < b.index;
    });
    Slot* values = last(keys.size());
    std::vector<bool> dropped(keys.size());
    std::size_t left = keys.size();
    for (std::size_t i = 0; i < sorted.size();) {
        const std::size_t first = sorted[i].index;
        std::size_t next = i + 1;
        for (; next < sorted.size() && sorted[next].hash == sorted[i].hash &&
               keys[sorted[next].index] == keys[first];
             ++next) {
            const std::size_t again = sorted[next].index;
            release(std::exchange(values[first], values[again]));
            dropped[again] = true;
            --left;
        }
        i = next;
    }
    std::vector<Str> names;
    std::vector<KeyHash> hashes;
    names.reserve(left);
    hashes.reserve(left);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!dropped[i]) {
            values[names.size()] = values[i];
            names.emplace_back(keys[i]);
            hashes.push_back(order[i].hash);
        }
    }
    const std::span<Value> members(reinterpret_cast<Value*>(values), left);
    Header* node = left > kLeafMax ? static_cast<Header*>(big_build(members, names, hashes))
                                   : tree_build_keyed(members, names, hashes, 0);
    replace_last(keys.size(), Kind::kObject, node);
    return left != keys.size();
}

}  // namespace arbiter::value::internal
