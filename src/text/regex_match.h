// Matches: where a pattern matches in a text, with its groups, as JavaScript's RegExp finds them:
// the leftmost match, and of those the one that the order of choices and repetitions prefers.
//
// Time is proportional to the product of pattern and text: searching for all matches stops after
// kPassesMax times the work of one pass, which only patterns reach that look far beyond each match.
// Pure; safe from any thread.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "text/regex.h"

namespace arbiter::text {

struct Span {
    std::size_t begin = std::string_view::npos;  // npos: the group is not part of the match
    std::size_t end = std::string_view::npos;
    [[nodiscard]] bool has_matched() const noexcept { return end != std::string_view::npos; }
    friend bool operator==(const Span&, const Span&) = default;
};
// The whole match, then its groups.
using Match = std::vector<Span>;

// The matches of `regex`, which must have been compiled with `captures`, from left to right, at
// most `most`. They do not overlap.
std::vector<Match> find_all(const Regex& regex, std::string_view text,
                            std::size_t most = std::string_view::npos);

// The number of the group of this name; 0: none.
std::size_t group_number(const Regex& regex, std::string_view name) noexcept;

}  // namespace arbiter::text
