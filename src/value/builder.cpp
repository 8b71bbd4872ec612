#include "value/builder.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "base/check.h"
#include "value/internal/large_object.h"

namespace arbiter::value {

using internal::Access;
using internal::Header;
using internal::height_above;
using internal::KeyHash;
using internal::Keys;
using internal::kFlatMax;
using internal::kNone;
using internal::Leaf;
using internal::release;
using internal::retain;
using internal::Slot;
using internal::SortedKey;

namespace {

// Powers of two.
constexpr std::size_t kShapesFew = 16;
constexpr std::size_t kShapes = 512;
// A document with fewer objects is too small to share anything; one with many has many shapes.
constexpr std::size_t kObjectsMin = 4;
constexpr std::size_t kObjectsMany = 64;

// A few bytes of a key, enough to distinguish most shapes.
std::uint64_t glimpse(std::string_view key) noexcept {
    const Slot bits = Access::short_text(key.substr(0, Str::kInlineMax));
    return bits.lo ^ (bits.hi * 0x9E3779B97F4A7C15ULL) ^ key.size();
}

std::size_t shape_hash(std::span<const std::string_view> keys) noexcept {
    std::uint64_t mixed = keys.size();
    mixed = (mixed ^ glimpse(keys.front())) * 0xD6E8FEB86659FD93ULL;
    mixed = (mixed ^ (mixed >> 29) ^ glimpse(keys.back())) * 0xD6E8FEB86659FD93ULL;
    return mixed >> 40;
}

bool has_shape(const Keys* shape, std::span<const std::string_view> keys) noexcept {
    if (shape == nullptr || shape->size != keys.size()) {
        return false;
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Str& name = shape->names()[i];
        const bool same = keys[i].size() <= Str::kInlineMax
                              ? internal::same_bits(Access::slot(name), Access::short_text(keys[i]))
                              : name.view() == keys[i];
        if (!same) {
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

void Builder::reserve(std::size_t values) {
    values_.reserve(values);
    keys_.reserve(values);
}

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
    if (count > kFlatMax) {
        node = internal::tree_build({reinterpret_cast<Value*>(last(count)), count});
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
    const bool repeated = count <= kFlatMax ? close_small(keys) : close_large(keys);
    keys_.resize(keys_.size() - count);
    return repeated;
}

// Grows the table. Entries of the small one are dropped; those still in use come back.
void Builder::spread_shapes() {
    for (Keys*& shape : shapes_) {
        if (shape != nullptr) {
            release(std::exchange(shape, nullptr));
        }
    }
    shapes_.resize(kShapes, nullptr);
}

void Builder::close_object_like(const Value& model) {
    const Header* node = internal::node_of(Access::slot(model));
    CHECK(model.is_object() && node != nullptr && node->kind == internal::NodeKind::kLeaf);
    const auto* leaf = static_cast<const Leaf*>(node);
    const std::size_t count = leaf->size;
    CHECK(count <= values_.size());
    retain(leaf->keys);
    replace_last(count, Kind::kObject, leaf_of(last(count), count, leaf->keys));
}

// The shared Keys of these names, new or cached, without repeated names.
Keys* Builder::shape(std::span<const std::string_view> keys) {
    ++small_objects_;
    if (small_objects_ == kObjectsMin) {
        shapes_.resize(kShapesFew, nullptr);
    } else if (small_objects_ == kObjectsMany) {
        spread_shapes();
    }
    Keys** known = shapes_.empty() ? nullptr : &shapes_[shape_hash(keys) & (shapes_.size() - 1)];
    if (known != nullptr && has_shape(*known, keys)) {
        retain(*known);
        return *known;
    }
    Keys* made = Keys::make(keys.size(), false);
    for (const std::string_view key : keys) {
        if (made->find(key) == kNone) {
            made->insert(made->size, Str(key), internal::hash_key(key), 0);
        }
    }
    if (known != nullptr && made->size == keys.size()) {
        if (*known != nullptr) {
            release(*known);
        }
        retain(made);
        *known = made;
    }
    return made;
}

bool Builder::close_small(std::span<const std::string_view> keys) {
    Keys* names = shape(keys);
    const bool repeated = names->size != keys.size();
    Slot* values = last(keys.size());
    if (repeated) {
        // The last value of a repeated name wins, at the position of the first.
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
    std::vector<KeyHash> hashes(keys.size());
    std::ranges::transform(keys, hashes.begin(), internal::hash_key);
    std::vector<SortedKey> sorted = internal::sort_keys(keys, std::span<const KeyHash>(hashes));
    const std::size_t left = drop_repeated(keys, sorted, hashes);
    std::vector<Str> names;
    names.reserve(left);
    for (const std::string_view key : keys.size() == left ? keys : kept_) {
        names.emplace_back(key);
    }
    const std::span<Value> members(reinterpret_cast<Value*>(last(keys.size())), left);
    Header* node = left > kFlatMax
                       ? static_cast<Header*>(internal::big_build(members, names, hashes, sorted))
                       : internal::tree_build_keyed(members, names, hashes, 0);
    replace_last(keys.size(), Kind::kObject, node);
    return left != keys.size();
}

// Moves the last value of each repeated key to the place of the first and closes the gaps, in the
// values on the stack as well as in `hashes` and `sorted`. The remaining keys are in kept_.
std::size_t Builder::drop_repeated(std::span<const std::string_view> keys,
                                   std::vector<SortedKey>& sorted, std::vector<KeyHash>& hashes) {
    Slot* values = last(keys.size());
    std::vector<bool> dropped(keys.size());
    const auto same = [&](const SortedKey& a, const SortedKey& b) {
        return a.hash == b.hash && keys[a.index] == keys[b.index];
    };
    std::size_t left = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (left > 0 && same(sorted[left - 1], sorted[i])) {
            release(std::exchange(values[sorted[left - 1].index], values[sorted[i].index]));
            dropped[sorted[i].index] = true;
        } else {
            sorted[left++] = sorted[i];
        }
    }
    if (left == keys.size()) {
        return left;
    }
    sorted.resize(left);
    kept_.clear();
    std::vector<std::size_t> place(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (!dropped[i]) {
            place[i] = kept_.size();
            values[kept_.size()] = values[i];
            hashes[kept_.size()] = hashes[i];
            kept_.push_back(keys[i]);
        }
    }
    hashes.resize(left);
    for (SortedKey& key : sorted) {
        key.index = place[key.index];
    }
    return left;
}

}  // namespace arbiter::value
