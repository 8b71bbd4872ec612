// Regex: searches a text for a pattern, in time proportional to the product of their sizes.
//
// Simulates all states of the pattern in parallel and never backtracks, so no pattern is slow. Not
// a library, so that results are the same natively and in WebAssembly; tests compare it with RE2.
//
// clang-format off
//   a 汉 . [a-z汉] [^…] \d \w \s \D \W \S    one character; . excludes line ends
//   \n \t \r \f \v \0 \xHH \uHHHH \u{H…}      characters by number
//   \. \* \\ …                                a punctuation character itself
//   ^ $ \b \B                                 begin and end of the text, ASCII word boundaries
//   x* x+ x? x{2} x{2,} x{2,5}                repetition; with a ? behind it as short as possible
//   (…) (?:…) (?<name>…) x|y                  groups and choices
//   \p{Han} \p{Script=Han} \P{…}              characters of a script (internal/scripts.h)
//   (?i)                                      at the very beginning: ignores case
//   x(?=y)                                    at the end of the pattern: y follows the match
// clang-format on
//
// Backreferences (\1), other lookahead, lookbehind and other Unicode classes are errors
// (kRegexUnsupported). Immutable once compiled; safe from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace arbiter::text {

// The flags i, m and s of JavaScript, and differences of its older syntax.
struct RegexOptions {
    bool ignores_case = false;  // as text/case_fold.h folds it
    bool multiline = false;     // ^ and $ also at the beginning and end of a line
    bool dot_all = false;       // . is also a line end
    // Without the flag u JavaScript reads unknown escapes (\q), broken counts (a{2) and sets such
    // as [\d-z] as the characters themselves; otherwise they are errors.
    bool is_lenient = false;
    bool captures = false;  // the places of groups can be asked (text/regex_match.h)
    // A character behind which ^ holds, because a text begins there; 0: none.
    char32_t begin_mark = 0;
};

class Regex {
  public:
    // kRegexSyntax, kRegexUnsupported or kRegexTooLarge, with the position in the pattern.
    static base::Result<Regex> compile(std::string_view pattern, const RegexOptions& options = {});

    // Whether the pattern matches somewhere in the text. Broken UTF-8 reads as U+FFFD.
    [[nodiscard]] bool is_in(std::string_view text) const;
    class Search;
    // An upper bound on the steps that is_in() takes on a text of `bytes` bytes.
    [[nodiscard]] std::uint64_t cost(std::size_t bytes) const noexcept {
        return (static_cast<std::uint64_t>(bytes) + 1) * weight_;
    }

    struct Range {
        char32_t low;
        char32_t high;
    };
    enum class Kind : std::uint8_t {
        kSet,    // one character of `set`
        kSplit,  // continue at `next` and at `other`
        kJump,   // continue at `next`
        kBegin,
        kEnd,
        kLineBegin,
        kLineEnd,
        kEdge,
        kNoEdge,
        kFound
    };
    struct Step {
        Kind kind;
        std::uint32_t next = 0;   // of kSplit and kJump
        std::uint32_t other = 0;  // of kSplit
        std::uint32_t set = 0;    // of kSet
        std::uint32_t slot = 0;   // of kJump: 1 + the slot that takes the position; 0: none
    };
    struct Set {
        std::vector<Range> ranges;
        bool inverted = false;
    };

  private:
    friend class Matcher;
    Regex() = default;

    std::vector<Step> program_;
    std::vector<Set> sets_;
    std::uint64_t weight_ = 0;
    std::vector<std::string> groups_;  // their names
    bool folds_ = false;
    char32_t begin_mark_ = 0;
};

// A search of a text that arrives in pieces of whole characters. The regex must outlive it.
class Regex::Search {
  public:
    explicit Search(const Regex& regex) : regex_(&regex) {}

    // Whether the pattern matches in the text so far; then the search is over. A match that needs
    // the end of the text ($, \b) is found by matches_at_end().
    bool feed(std::string_view piece);
    // Whether it matches if the text ends here. The search may continue.
    [[nodiscard]] bool matches_at_end() const;

  private:
    class States;
    // Follows all steps that consume no character. Returns whether the pattern matches.
    bool follow(States& now, std::optional<char32_t> after) const;
    [[nodiscard]] bool holds(Kind assertion, std::optional<char32_t> after) const noexcept;

    const Regex* regex_;
    std::vector<std::uint32_t> active_;  // steps behind the last character
    std::optional<char32_t> before_ = {};
    bool is_found_ = false;
};

}  // namespace arbiter::text
