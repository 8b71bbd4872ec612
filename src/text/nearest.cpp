#include "text/nearest.h"

#include <algorithm>
#include <array>
#include <string>

#include "text/utf8.h"

namespace arbiter::text {
namespace {

constexpr std::size_t kNameCharactersMax = 64;
// Limits a suggestion to some milliseconds.
constexpr std::size_t kCandidatesMax = 10'000;

// The characters of a name; empty if it is too long to compare.
std::u32string characters(std::string_view name) {
    std::u32string out;
    if (name.size() > 4 * kNameCharactersMax) {
        return out;
    }
    while (!name.empty()) {
        const Decoded next = decode(name);
        out.push_back(next.code_point);
        name.remove_prefix(next.size);
    }
    if (out.size() > kNameCharactersMax) {
        out.clear();
    }
    return out;
}

// Edit distance with transpositions, over three rolling rows.
std::size_t distance(const std::u32string& a, const std::u32string& b) {
    using Row = std::array<std::size_t, kNameCharactersMax + 1>;
    Row before{};
    Row above{};
    Row row{};
    for (std::size_t j = 0; j <= b.size(); ++j) {
        above[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t change = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, change});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
        before = above;
        above = row;
    }
    return above[b.size()];
}

}  // namespace

std::optional<std::string_view> nearest(std::string_view wanted,
                                        std::span<const std::string_view> candidates) {
    const std::u32string name = characters(wanted);
    std::optional<std::string_view> best;
    if (name.empty()) {
        return best;
    }
    std::size_t best_distance = kNameCharactersMax + 1;
    const auto differ = [](std::size_t a, std::size_t b) {
        return std::max(a, b) - std::min(a, b);
    };
    for (const std::string_view candidate :
         candidates.first(std::min(candidates.size(), kCandidatesMax))) {
        // Skips names of very different length. A character has at most four bytes.
        const std::size_t bytes = std::max(wanted.size(), candidate.size());
        if (differ(wanted.size(), candidate.size()) > 4 * std::max<std::size_t>(1, bytes / 3)) {
            continue;
        }
        const std::u32string other = characters(candidate);
        const std::size_t allowed =
            std::max<std::size_t>(1, std::max(name.size(), other.size()) / 3);
        if (other.empty() || differ(name.size(), other.size()) > allowed) {
            continue;
        }
        const std::size_t edits = distance(name, other);
        if (edits <= allowed && edits < best_distance && edits < name.size()) {
            best = candidate;
            best_distance = edits;
        }
    }
    return best;
}

}  // namespace arbiter::text
