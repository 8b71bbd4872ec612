#include "chat/likeness.h"

#include <algorithm>

namespace arbiter::chat {

Sketch::Sketch(std::string_view plain) {
    if (plain.empty()) {
        return;
    }
    const std::size_t length = std::min(kShingleBytes, plain.size());
    std::vector<std::uint32_t> hashes;
    hashes.reserve(plain.size() - length + 1);
    for (std::size_t i = 0; i + length <= plain.size(); ++i) {
        std::uint64_t hash = 0xCBF29CE484222325ULL;
        for (std::size_t j = i; j < i + length; ++j) {
            hash = (hash ^ static_cast<unsigned char>(plain[j])) * 0x100000001B3ULL;
        }
        hash *= 0x9E3779B97F4A7C15ULL;
        hashes.push_back(static_cast<std::uint32_t>(hash >> 32U));
    }
    std::ranges::sort(hashes);
    hashes.erase(std::ranges::unique(hashes).begin(), hashes.end());
    hashes.resize(std::min(hashes.size(), kShingles));
    smallest_ = std::move(hashes);
    smallest_.shrink_to_fit();
}

double Sketch::likeness(const Sketch& other) const {
    std::size_t seen = 0;
    std::size_t common = 0;
    auto left = smallest_.begin();
    auto right = other.smallest_.begin();
    // The smallest hashes of both texts together are a sample of the union.
    while (seen < kShingles && (left != smallest_.end() || right != other.smallest_.end())) {
        ++seen;
        if (right == other.smallest_.end() || (left != smallest_.end() && *left < *right)) {
            ++left;
        } else if (left == smallest_.end() || *right < *left) {
            ++right;
        } else {
            ++common;
            ++left;
            ++right;
        }
    }
    return seen == 0 ? 0.0 : static_cast<double>(common) / static_cast<double>(seen);
}

}  // namespace arbiter::chat
