// The heap nodes that documents are made of, and their reference counts.
//
// A shared node is immutable: code may write into a node only if its count is 1 and it was reached
// through nodes whose count is 1 (or that were just created). Counts are atomic, so values can be
// shared and dropped from any thread; only the owner writes.
//
//   Text   a string of more than 14 bytes
//   Keys   the key names of a leaf of an object, shared by all leaves with the same keys
//   Leaf   some values in order, with Keys when it belongs to an object
//   Inner  up to kNodeMax Leaf or Inner children: a tree of order by position
//   Big    an object too large for one leaf: its tree, and the trie that finds a key in it
//   Trie   see internal/trie.h
//
// Small arrays and objects are one Leaf; large arrays are an Inner; large objects are a Big. Empty
// ones have no node at all.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#if defined(__GLIBC__)
#include <sys/single_threaded.h>  // a fact about the process, no system call
#endif

namespace arbiter::value::internal {

// Containers up to this size are one flat leaf, as most handwritten objects are.
inline constexpr std::size_t kFlatMax = 24;
// Values of a leaf and children of an inner node in the tree of a larger container. Changing a
// value copies one node per level and increments the count of every other child, an atomic
// operation each, so narrow and deep beats wide and shallow.
inline constexpr std::size_t kNodeMax = 8;
// An object that shrinks to this becomes one flat leaf again. Well below kFlatMax, so that an
// object near the limit does not switch forms all the time.
inline constexpr std::size_t kFlatAgain = kFlatMax / 2;

enum class NodeKind : std::uint8_t { kText, kKeys, kLeaf, kInner, kBig, kTrie };

struct Header {
    std::atomic<std::uint32_t> refs{1};
    NodeKind kind;
    // An upper bound of how deep the containers in this subtree nest, itself included.
    std::uint16_t height = 0;

    explicit Header(NodeKind node_kind) noexcept : kind(node_kind) {}
    Header(const Header&) = delete;
    Header& operator=(const Header&) = delete;
};

// The bits of a Value or Str. The top byte of `hi` is the tag: the Kind in its low bits, kCounted
// when `lo` is the address of a node. A short string is its bytes, zero padded, in the first 14
// bytes, then its length, then the tag.
struct Slot {
    std::uint64_t lo = 0;
    std::uint64_t hi = 0;
};
static_assert(sizeof(Slot) == 16);
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "short strings lie in a Slot's bytes");

inline constexpr unsigned kTagShift = 56;
inline constexpr std::uint64_t kCountedBit = std::uint64_t{0x80} << kTagShift;

inline bool is_counted(const Slot& slot) noexcept {
    return (slot.hi & kCountedBit) != 0;
}
inline Header* node_of(const Slot& slot) noexcept {
    return reinterpret_cast<Header*>(static_cast<std::uintptr_t>(slot.lo));
}

// Atomic operations are needed only once there is a second thread, which glibc knows. They dominate
// the cost of a change: without them single-threaded programs run twice as fast.
inline bool is_single_threaded() noexcept {
#if defined(__GLIBC__)
    return __libc_single_threaded != 0;
#else
    return false;
#endif
}

inline void retain(Header* node) noexcept {
    if (is_single_threaded()) {
        node->refs.store(node->refs.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    } else {
        node->refs.fetch_add(1, std::memory_order_relaxed);
    }
}
inline bool is_unique(const Header* node) noexcept {
    return node->refs.load(std::memory_order_acquire) == 1;
}

// Frees the node and drops what it holds.
void destroy(Header* node) noexcept;

inline void release(Header* node) noexcept {
    // The last owner needs no atomic subtraction: no other thread can reach the count.
    if (is_unique(node)) {
        destroy(node);
    } else if (is_single_threaded()) {
        node->refs.store(node->refs.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
    } else if (node->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        destroy(node);
    }
}

inline void retain(const Slot& slot) noexcept {
    if (is_counted(slot)) {
        retain(node_of(slot));
    }
}
inline void release(const Slot& slot) noexcept {
    if (is_counted(slot)) {
        release(node_of(slot));
    }
}

// Memory for a node. Running out of memory is fatal.
void* allocate(std::size_t bytes) noexcept;
void deallocate(void* memory) noexcept;

// Cached fingerprint of a subtree; 0: not computed since the last change. Written by sealing; two
// threads that seal the same node write the same numbers.
struct SealCache {
    std::atomic<std::uint64_t> loose{0};
    std::atomic<std::uint64_t> exact{0};
    std::atomic<std::uint64_t> weight{0};
    void reset() noexcept {
        loose.store(0, std::memory_order_relaxed);
        exact.store(0, std::memory_order_relaxed);
        weight.store(0, std::memory_order_relaxed);
    }
};

struct Text : Header {
    std::uint32_t size = 0;
    std::uint32_t unused = 0;
    std::atomic<std::uint64_t> hash{0};

    Text() noexcept : Header(NodeKind::kText) {}
    // Followed by 16 readable bytes, so that printing may load whole blocks.
    char* bytes() noexcept { return reinterpret_cast<char*>(this + 1); }
    const char* bytes() const noexcept { return reinterpret_cast<const char*>(this + 1); }
};

}  // namespace arbiter::value::internal
