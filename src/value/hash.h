// Fingerprint: the two hashes of a value and its weight, and sealing.
//
// `loose` ignores the order of members: equal values have equal loose hashes, whatever their
// history. `exact` keeps it: two values have equal exact hashes exactly when they print the same
// bytes (but for a chance of 2^-61). Both are the same on every machine and in every run. They
// are fast, not cryptographic: against an attacker compare values, or use SHA-256.
//
// `weight` approximates the printed size: the bytes of strings and keys, and 8 for everything else.
// Shared parts count as often as they appear, so a document that contains one part many times is as
// heavy as it prints, however little memory it takes. Limits use the weight, since work on a whole
// document is proportional to it.
#pragma once

#include <cstdint>
#include <string_view>

#include "value/value.h"

namespace arbiter::value {

struct Fingerprint {
    std::uint64_t loose = 0;
    std::uint64_t exact = 0;
    std::uint64_t weight = 0;  // saturates
    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

// Computes the fingerprint and caches it in the nodes, so that sealing the next version costs only
// what changed, and a shared part is visited once. The owner calls it before readers get a version.
Fingerprint seal(const Value& value) noexcept;

// The weight alone, which is cheaper than the hashes; cached like them.
std::uint64_t weigh(const Value& value) noexcept;

// The hash of a text, as good as `exact`.
std::uint64_t hash_text(std::string_view text) noexcept;

// The fingerprint without caching: unsealed parts are computed each time they appear. Any thread
// may call it.
Fingerprint fingerprint_of(const Value& value) noexcept;

}  // namespace arbiter::value
