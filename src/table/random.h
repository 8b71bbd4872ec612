// Random: a deterministic generator, identical on every machine.
//
// The core has no source of randomness: the caller that judges a turn passes a Random in. seeded()
// derives it from the campaign's seed and the turn number, so that a retry or a replay rolls the
// same dice. Asking again does not give a better roll. Not thread-safe.
#pragma once

#include <cstdint>

#include "value/value.h"

namespace arbiter::table {

class Random {
  public:
    explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

    std::uint64_t next() noexcept {
        // splitmix64
        state_ += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    // Returns a uniformly distributed number in [least, most]. Requires least <= most.
    std::int64_t between(std::int64_t least, std::int64_t most) noexcept;

  private:
    std::uint64_t state_;
};

// The generator for the campaign's next turn.
Random seeded(const value::Value& document) noexcept;

}  // namespace arbiter::table
