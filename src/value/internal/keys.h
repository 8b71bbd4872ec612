// Keys: the key names of a leaf of an object, with their hashes and order ids.
#pragma once

#include <limits>
#include <string_view>

#include "value/internal/node.h"

namespace arbiter::value {
class Str;
class Value;
}  // namespace arbiter::value

namespace arbiter::value::internal {

inline constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

using OrderId = std::uint64_t;
using KeyHash = std::uint64_t;

// The key names of one leaf. Leaves with the same names share them. Flat objects have no ids.
struct Keys : Header {
    std::uint16_t size = 0;
    std::uint16_t capacity = 0;
    bool has_ids = false;
    bool plain = true;    // no name needs an escape in JSON
    bool marked = false;  // some name began with an underscore

    Keys() noexcept : Header(NodeKind::kKeys) {}
    // Room for `capacity` names; size is 0.
    static Keys* make(std::size_t capacity, bool with_ids) noexcept;
    // A copy with room for `capacity` names.
    [[nodiscard]] Keys* clone(std::size_t capacity, bool with_ids) const noexcept;

    // Behind the node lie the arrays of names, hashes and, if it has them, ids.
    Str* names() noexcept { return reinterpret_cast<Str*>(this + 1); }
    const Str* names() const noexcept { return reinterpret_cast<const Str*>(this + 1); }
    KeyHash* hashes() noexcept {
        return reinterpret_cast<KeyHash*>(reinterpret_cast<Slot*>(this + 1) + capacity);
    }
    const KeyHash* hashes() const noexcept {
        return reinterpret_cast<const KeyHash*>(reinterpret_cast<const Slot*>(this + 1) + capacity);
    }
    OrderId* ids() noexcept { return hashes() + capacity; }
    const OrderId* ids() const noexcept { return hashes() + capacity; }

    // The index of a key, or kNone. Compares the 16 bytes of short names, the hashes of long ones.
    [[nodiscard]] std::size_t find(std::string_view key) const noexcept;
    void insert(std::size_t index, const Str& key, KeyHash hash, OrderId id) noexcept;
    void append(const Str& key, KeyHash hash, OrderId id) noexcept { insert(size, key, hash, id); }
    void erase(std::size_t index) noexcept;
};

KeyHash hash_key(std::string_view key) noexcept;

}  // namespace arbiter::value::internal
