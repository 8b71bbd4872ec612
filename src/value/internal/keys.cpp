#include "value/internal/keys.h"

#include <cstring>
#include <memory>
#include <new>

#include "base/check.h"
#include "value/internal/byte_hash.h"
#include "value/internal/tree.h"

namespace arbiter::value::internal {
namespace {

bool is_plain(std::string_view key) noexcept {
    for (const char c : key) {
        if (static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\') {
            return false;
        }
    }
    return true;
}

template <typename T>
void make_room(T* items, std::size_t size, std::size_t index) noexcept {
    std::memmove(static_cast<void*>(items + index + 1), items + index, (size - index) * sizeof(T));
}
template <typename T>
void close_gap(T* items, std::size_t size, std::size_t index) noexcept {
    std::memmove(static_cast<void*>(items + index), items + index + 1,
                 (size - index - 1) * sizeof(T));
}

}  // namespace

KeyHash hash_key(std::string_view key) noexcept {
    const KeyHash hash = hash_bytes(key);
#ifdef ARBITER_KEY_HASH_BITS
    // A copy of this module for tests, in which almost all keys collide.
    return hash & ((KeyHash{1} << ARBITER_KEY_HASH_BITS) - 1);
#else
    return hash;
#endif
}

Keys* Keys::make(std::size_t capacity, bool with_ids) noexcept {
    const std::size_t each = sizeof(Str) + sizeof(KeyHash) + (with_ids ? sizeof(OrderId) : 0);
    auto* keys = new (allocate(sizeof(Keys) + capacity * each)) Keys();
    keys->capacity = static_cast<std::uint16_t>(capacity);
    keys->has_ids = with_ids;
    return keys;
}

Keys* Keys::clone(std::size_t room, bool with_ids) const noexcept {
    CHECK(room >= size && (has_ids || !with_ids));
    Keys* copy = make(room, with_ids);
    std::uninitialized_copy_n(names(), size, copy->names());
    std::memcpy(copy->hashes(), hashes(), size * sizeof(KeyHash));
    if (with_ids) {
        std::memcpy(copy->ids(), ids(), size * sizeof(OrderId));
    }
    copy->size = size;
    copy->plain = plain;
    copy->marked = marked;
    return copy;
}

std::size_t Keys::find(std::string_view key) const noexcept {
    const Str* name = names();
    if (key.size() <= Str::kInlineMax) {
        const Slot wanted = Access::short_text(key);
        for (std::size_t i = 0; i < size; ++i) {
            if (same_bits(Access::slot(name[i]), wanted)) {
                return i;
            }
        }
        return kNone;
    }
    const KeyHash hash = hash_key(key);
    for (std::size_t i = 0; i < size; ++i) {
        if (hashes()[i] == hash && name[i].view() == key) {
            return i;
        }
    }
    return kNone;
}

void Keys::insert(std::size_t index, const Str& key, KeyHash hash, OrderId id) noexcept {
    CHECK(size < capacity && index <= size);
    if (index < size) {
        make_room(names(), size, index);
        make_room(hashes(), size, index);
        if (has_ids) {
            make_room(ids(), size, index);
        }
    }
    new (names() + index) Str(key);
    hashes()[index] = hash;
    if (has_ids) {
        ids()[index] = id;
    }
    ++size;
    plain = plain && is_plain(key);
    marked = marked || key.view().starts_with('_');
}

void Keys::erase(std::size_t index) noexcept {
    CHECK(index < size);
    names()[index].~Str();
    close_gap(names(), size, index);
    close_gap(hashes(), size, index);
    if (has_ids) {
        close_gap(ids(), size, index);
    }
    --size;
}

}  // namespace arbiter::value::internal
