#include "chat/likeness.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <span>

namespace arbiter::chat {

namespace {

// Collects the smallest different hashes, Sketch::kShingles of them: most of a long text are too
// large at a glance.
class SmallestHashes {
  public:
    SmallestHashes() { places_.fill(kNone); }

    void add(std::uint32_t hash) {
        if (hash >= limit_) {
            return;
        }
        std::size_t at = hash % kPlaces;
        while (places_[at] != kNone) {
            if (places_[at] == hash) {
                return;
            }
            at = (at + 1) % kPlaces;
        }
        places_[at] = hash;
        if (++count_ == kPlaces / 2) {
            drop_large_ones();
        }
    }

    // Ascending.
    [[nodiscard]] std::vector<std::uint32_t> found() const {
        std::vector<std::uint32_t> hashes;
        hashes.reserve(count_);
        std::ranges::remove_copy(places_, std::back_inserter(hashes), kNone);
        std::ranges::sort(hashes);
        hashes.resize(std::min(hashes.size(), Sketch::kShingles));
        return hashes;
    }

  private:
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;
    static constexpr std::size_t kPlaces = 4 * Sketch::kShingles;

    void drop_large_ones() {
        const std::vector<std::uint32_t> kept = found();
        places_.fill(kNone);
        count_ = 0;
        for (const std::uint32_t each : kept) {
            add(each);
        }
        limit_ = kept.back();
    }

    std::array<std::uint32_t, kPlaces> places_;  // a hash table
    std::size_t count_ = 0;
    std::uint32_t limit_ = kNone;
};

std::uint32_t hash_of(std::uint64_t shingle) noexcept {
    shingle *= 0x9E3779B97F4A7C15ULL;
    shingle ^= shingle >> 32U;
    shingle *= 0xBF58476D1CE4E5B9ULL;
    return static_cast<std::uint32_t>(shingle >> 32U);
}

}  // namespace

Sketch::Sketch(std::string_view plain) {
    if (plain.empty()) {
        return;
    }
    SmallestHashes smallest;
    std::uint64_t shingle = 0;
    static_assert(kShingleBytes <= sizeof shingle);
    if (plain.size() < kShingleBytes) {
        std::memcpy(&shingle, plain.data(), plain.size());
        smallest.add(hash_of(shingle));
    }
    for (std::size_t i = 0; i + kShingleBytes <= plain.size(); ++i) {
        std::memcpy(&shingle, plain.data() + i, kShingleBytes);
        smallest.add(hash_of(shingle));
    }
    smallest_ = smallest.found();
    smallest_.shrink_to_fit();
}

double Sketch::likeness(const Sketch& other) const {
    std::size_t seen = 0;
    std::size_t common = 0;
    const std::span<const std::uint32_t> left = smallest_;
    const std::span<const std::uint32_t> right = other.smallest_;
    std::size_t l = 0;
    std::size_t r = 0;
    // The smallest hashes of both texts together are a sample of the union. Without branches: which
    // text has the next one is chance, and a player who says the same again has many replies to it.
    while (seen < kShingles && l < left.size() && r < right.size()) {
        const auto is_left = static_cast<std::size_t>(left[l] <= right[r]);
        const auto is_right = static_cast<std::size_t>(right[r] <= left[l]);
        common += is_left & is_right;
        l += is_left;
        r += is_right;
        ++seen;
    }
    // The rest is of one text.
    seen = std::min(kShingles, seen + (left.size() - l) + (right.size() - r));
    return seen == 0 ? 0.0 : static_cast<double>(common) / static_cast<double>(seen);
}

}  // namespace arbiter::chat
