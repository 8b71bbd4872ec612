// The parser of regex patterns, and the syntax tree that it produces.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/limits.h"
#include "text/regex.h"

namespace arbiter::text::internal {

// As a repetition count: unlimited.
inline constexpr std::uint32_t kForever = base::kRegexRepeatsMax + 1;

// A node of the syntax tree.
struct Part {
    enum class Kind : std::uint8_t { kEmpty, kSet, kAssert, kThen, kOr, kRepeat };
    Kind kind = Kind::kEmpty;
    Regex::Kind assertion = Regex::Kind::kBegin;  // kAssert
    std::uint32_t set = 0;                        // kSet
    std::uint32_t least = 0;                      // kRepeat
    std::uint32_t most = 0;                       // kRepeat; or kForever
    bool is_lazy = false;                         // kRepeat: as few as possible
    std::uint32_t group = 0;                      // kThen: the number of a group; 0: none
    bool is_tail = false;                         // kThen: looked at, but behind the match
    std::vector<Part> parts = {};
};

struct Pattern {
    Part whole;
    std::vector<Regex::Set> sets;
    bool folds = false;
    std::vector<std::string> groups = {};  // the names of the groups from 1 on; empty: none
};
base::Result<Pattern> parse_pattern(std::string_view pattern, const RegexOptions& options);

// Whether an assertion holds between two characters; nothing is the end of the text on that side.
bool holds(Regex::Kind assertion, std::optional<char32_t> before,
           std::optional<char32_t> after) noexcept;

// ASCII letters, digits and _.
inline bool is_word(char32_t c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace arbiter::text::internal
