// Fingerprint: the two hashes of a value and its weight, and sealing.
//
// `loose` ignores the order of members: equal values have equal loose hashes, whatever their
// history. `exact` keeps it: two values have equal exact hashes exactly when they print the same
// bytes (but for a chance of 2^-61). Both are the same on every machine and in every run. They
// are fast, not cryptographic: where somebody could gain from a collision, compare or use SHA-256.
//
// `weight` is how large the document is when it is written out: the bytes of its strings and keys
// and 8 for everything else. Parts that are shared count as often as they appear, so a document
// that was copied into itself again and again is as heavy as it would print, however little memory
// it takes. Work on a whole document costs its weight, which is what limits are for.
#pragma once

#include <cstdint>

#include "value/value.h"

namespace arbiter::value {

struct Fingerprint {
    std::uint64_t loose = 0;
    std::uint64_t exact = 0;
    std::uint64_t weight = 0;  // stops at the largest number
    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

// Computes the fingerprint of a version and keeps it in its nodes, so that sealing the next version
// costs only what changed, and a part that appears often is looked at once. To be called by the
// owner before a version is given to readers.
Fingerprint seal(const Value& value) noexcept;

// The weight alone, which costs less than hashes do, and keeps it as seal() would.
std::uint64_t weigh(const Value& value) noexcept;

// The fingerprint without keeping anything: what is not sealed is computed anew, each time it
// appears. Any thread may call it.
Fingerprint fingerprint_of(const Value& value) noexcept;

}  // namespace arbiter::value
