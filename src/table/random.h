// Random: numbers that follow from a seed, the same on every machine.
//
// The core throws no dice of its own: whoever judges a turn hands one of these in. seeded() makes
// it from the campaign's seed and the number of the turn, so that judging a turn again (a retry, a
// replay) throws the same dice, and asking again is no way to a better throw.
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
    // From `least` to `most`, both included and all equally likely; least <= most.
    std::int64_t between(std::int64_t least, std::int64_t most) noexcept;

  private:
    std::uint64_t state_;
};

// Of the turn that a document's campaign is about to play.
Random seeded(const value::Value& document) noexcept;

}  // namespace arbiter::table
