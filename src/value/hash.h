// The two hashes of a value, and sealing.
//
// `loose` ignores the order of members: equal values have equal loose hashes, whatever their
// history. `exact` keeps it: two values have equal exact hashes exactly when they print the same
// bytes (but for a chance of 2^-61). Both are the same on every machine and in every run. They
// are fast, not cryptographic: where somebody could gain from a collision, compare or use SHA-256.
#pragma once

#include <cstdint>

#include "value/value.h"

namespace arbiter::value {

struct Hashes {
    std::uint64_t loose = 0;
    std::uint64_t exact = 0;
    friend bool operator==(const Hashes&, const Hashes&) = default;
};

// Computes the hashes of a version and keeps them in its nodes, so that sealing the next version
// costs only what changed. To be called by the owner before a version is given to readers.
Hashes seal(const Value& value) noexcept;

// The hashes without keeping anything: what is not sealed is computed anew. Any thread may call it.
Hashes hashes_of(const Value& value) noexcept;

}  // namespace arbiter::value
