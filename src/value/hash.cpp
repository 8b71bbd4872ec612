// A container's fingerprint does not depend on how its tree is divided into nodes. A sequence is
// the value of a polynomial modulo the prime 2^61 - 1, which can be combined from those of its
// parts; unordered members are a sum. Each node caches the part of its own subtree.
#include "value/hash.h"

#include <array>
#include <bit>

#include "value/array.h"
#include "value/internal/byte_hash.h"
#include "value/internal/tree.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

using internal::Access;
using internal::Header;
using internal::Inner;
using internal::Leaf;
using internal::NodeKind;

__extension__ using Wide = unsigned __int128;

constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t kPoint = 0x0F3C2A91D45E6B87ULL;  // where the polynomial is evaluated
static_assert(kPoint < kPrime);

constexpr std::uint64_t reduce(std::uint64_t x) noexcept {
    x = (x & kPrime) + (x >> 61);
    return x >= kPrime ? x - kPrime : x;
}
constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) noexcept {
    const Wide product = static_cast<Wide>(a) * b;
    return reduce((static_cast<std::uint64_t>(product) & kPrime) +
                  static_cast<std::uint64_t>(product >> 61));
}
constexpr std::uint64_t power_of(std::uint64_t exponent) noexcept {
    std::uint64_t result = 1;
    for (std::uint64_t base = kPoint; exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0) {
            result = times(result, base);
        }
        base = times(base, base);
    }
    return result;
}
// Nodes near the leaves, which are most, have few values below them.
constexpr auto kPowers = [] {
    std::array<std::uint64_t, 65> powers{};
    for (std::size_t i = 0; i < powers.size(); ++i) {
        powers[i] = power_of(i);
    }
    return powers;
}();
std::uint64_t power(std::uint64_t exponent) noexcept {
    return exponent < kPowers.size() ? kPowers[static_cast<std::size_t>(exponent)]
                                     : power_of(exponent);
}

// Mixes two words into one so that they cannot cancel out.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
    const Wide product = static_cast<Wide>(a ^ 0x9E3779B97F4A7C15ULL) * (b ^ 0xD1B54A32D192ED03ULL);
    std::uint64_t x =
        static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    x ^= a + std::rotl(b, 32);
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93ULL;
    x ^= x >> 32;
    return x;
}

std::uint64_t tagged(Kind kind, std::uint64_t bits) noexcept {
    return mix(static_cast<std::uint64_t>(kind) + 1, bits);
}

// Weight of a value without its text: about the size of its brackets, digits or quotes.
constexpr std::uint64_t kValueWeight = 8;

enum class Keep : bool { kNo, kYes };

// Saturating addition: a document of shared parts can exceed any number.
std::uint64_t plus(std::uint64_t a, std::uint64_t b) noexcept {
    const std::uint64_t sum = a + b;
    return sum < a ? ~std::uint64_t{0} : sum;
}

std::uint64_t string_hash(const Value& value, Keep keep) noexcept {
    const std::string_view text = value.as_string();
    const internal::Slot& slot = Access::slot(value);
    if (!internal::is_counted(slot)) {
        return tagged(Kind::kString, internal::hash_bytes(text));
    }
    auto* node = static_cast<internal::Text*>(internal::node_of(slot));
    std::uint64_t hash = node->hash.load(std::memory_order_relaxed);
    if (hash == 0) {
        hash = tagged(Kind::kString, internal::hash_bytes(text));
        if (keep == Keep::kYes) {
            node->hash.store(hash, std::memory_order_relaxed);
        }
    }
    return hash;
}

Fingerprint hash(const Value& value, Keep keep) noexcept;

// The parts of a leaf. Of an array both are polynomials, of an object `loose` is a sum.
Fingerprint leaf_part(const Leaf* leaf, Keep keep) noexcept {
    Fingerprint part;
    for (std::size_t i = 0; i < leaf->size; ++i) {
        Fingerprint item = hash(leaf->items()[i], keep);
        part.weight = plus(part.weight, item.weight);
        if (leaf->keys != nullptr) {
            const std::uint64_t key = leaf->keys->hashes()[i];
            part.weight = plus(part.weight, leaf->keys->names()[i].size());
            const bool plain = item.loose == item.exact;  // as every scalar and text is
            item.loose = mix(key, item.loose);
            item.exact = plain ? item.loose : mix(key, item.exact);
            part.loose += item.loose;
        } else {
            part.loose = reduce(times(part.loose, kPoint) + reduce(item.loose));
        }
        part.exact = reduce(times(part.exact, kPoint) + reduce(item.exact));
    }
    return part;
}

Fingerprint node_part(Header* node, bool keyed, Keep keep) noexcept;

Fingerprint inner_part(const Inner* inner, bool keyed, Keep keep) noexcept {
    Fingerprint part;
    for (std::size_t i = 0; i < inner->size; ++i) {
        const Inner::Child& child = inner->children()[i];
        const Fingerprint below = node_part(child.node, keyed, keep);
        const std::uint64_t shift = power(child.count);
        part.weight = plus(part.weight, below.weight);
        part.exact = reduce(times(part.exact, shift) + below.exact);
        part.loose =
            keyed ? part.loose + below.loose : reduce(times(part.loose, shift) + below.loose);
    }
    return part;
}

Fingerprint node_part(Header* node, bool keyed, Keep keep) noexcept {
    internal::SealCache& cache = internal::cache_of(node);
    // Stored plus one, since 0 means unknown.
    const std::uint64_t loose = cache.loose.load(std::memory_order_relaxed);
    const std::uint64_t exact = cache.exact.load(std::memory_order_relaxed);
    const std::uint64_t weight = cache.weight.load(std::memory_order_relaxed);
    if (loose != 0 && exact != 0 && weight != 0) {
        return {loose - 1, exact - 1, weight};
    }
    const Fingerprint part = node->kind == NodeKind::kLeaf
                                 ? leaf_part(static_cast<Leaf*>(node), keep)
                                 : inner_part(static_cast<Inner*>(node), keyed, keep);
    if (keep == Keep::kYes) {
        cache.loose.store(part.loose + 1, std::memory_order_relaxed);
        cache.exact.store(part.exact + 1, std::memory_order_relaxed);
        cache.weight.store(part.weight, std::memory_order_relaxed);  // never 0: no node is empty
    }
    return part;
}

Fingerprint hash(const Value& value, Keep keep) noexcept {
    const internal::Slot& slot = Access::slot(value);
    switch (value.kind()) {
        case Kind::kNull:
        case Kind::kBool:
        case Kind::kInt:
        case Kind::kDouble: {
            const std::uint64_t scalar = tagged(value.kind(), slot.lo);
            return {scalar, scalar, kValueWeight};
        }
        case Kind::kString: {
            const std::uint64_t text = string_hash(value, keep);
            return {text, text, plus(kValueWeight, value.as_string().size())};
        }
        case Kind::kArray:
        case Kind::kObject:
            break;
    }
    Fingerprint part;
    std::uint64_t size = 0;
    if (internal::is_counted(slot)) {
        Header* tree = internal::order_tree(internal::node_of(slot));
        part = node_part(tree, value.is_object(), keep);
        size = internal::tree_size(tree);
    }
    const std::uint64_t salt = tagged(value.kind(), size);
    return {mix(salt, part.loose), mix(salt, part.exact), plus(part.weight, kValueWeight)};
}

std::uint64_t node_weight(Header* node) noexcept {
    internal::SealCache& cache = internal::cache_of(node);
    if (const std::uint64_t kept = cache.weight.load(std::memory_order_relaxed); kept != 0) {
        return kept;
    }
    std::uint64_t weight = 0;
    if (node->kind == NodeKind::kLeaf) {
        const Leaf* leaf = static_cast<Leaf*>(node);
        for (std::size_t i = 0; i < leaf->size; ++i) {
            weight = plus(weight, weigh(leaf->items()[i]));
            weight = plus(weight, leaf->keys != nullptr ? leaf->keys->names()[i].size() : 0);
        }
    } else {
        const Inner* inner = static_cast<Inner*>(node);
        for (std::size_t i = 0; i < inner->size; ++i) {
            weight = plus(weight, node_weight(inner->children()[i].node));
        }
    }
    cache.weight.store(weight, std::memory_order_relaxed);
    return weight;
}

}  // namespace

std::uint64_t weigh(const Value& value) noexcept {
    if (value.is_string()) {
        return plus(kValueWeight, value.as_string().size());
    }
    const internal::Slot& slot = Access::slot(value);
    return value.is_container() && internal::is_counted(slot)
               ? plus(node_weight(internal::order_tree(internal::node_of(slot))), kValueWeight)
               : kValueWeight;
}

Fingerprint seal(const Value& value) noexcept {
    return hash(value, Keep::kYes);
}

std::uint64_t hash_text(std::string_view text) noexcept {
    return internal::hash_bytes(text);
}

Fingerprint fingerprint_of(const Value& value) noexcept {
    return hash(value, Keep::kNo);
}

}  // namespace arbiter::value
