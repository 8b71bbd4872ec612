// Quotes: which parts of the narrative are quoted, so that nothing in them is a command.
//
// “…” 「…」 『…』 "…" and `…`, lines that begin with > or //, and HTML comments. Looked at only
// when a command seems to begin, from the last place that is known to be free.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reader/internal/window.h"

namespace arbiter::reader::internal {

class Quotes {
  public:
    // Nothing is quoted at `at`, whatever came before.
    void reset(std::size_t at, bool line_start) noexcept;
    // Up to where the narrative was looked at; older text is not needed.
    [[nodiscard]] std::size_t at() const noexcept { return at_; }
    void advance(const Window& window, std::size_t to);

    enum class Verdict : std::uint8_t { kFree, kQuoted, kMore };
    // Whether `at` is quoted; then `until` is where the quote ends, as far as that is known.
    Verdict judge(const Window& window, std::size_t at, bool finished, std::size_t& until);

  private:
    enum class Kind : std::uint8_t {
        kNone,
        kLine,
        kDouble,
        kCode,
        kCurly,
        kCorner,
        kHollow,
        kComment
    };

    // “…”, 「…」, 『…』 and comments go on over line breaks, though not over blank lines and
    // fences.
    [[nodiscard]] bool is_over_lines() const noexcept { return kind_ >= Kind::kCurly; }
    std::size_t step(const Window& window, std::size_t to);
    Kind opener(const Window& window, std::size_t at, std::size_t to, std::size_t& size) const;
    std::size_t closer(const Window& window, std::size_t at) const;

    std::size_t at_ = 0;
    std::size_t searched_ = 0;    // no closing quote lies between judge()'s place and here
    std::size_t code_marks_ = 0;  // how many ` opened inline code
    Kind kind_ = Kind::kNone;
    bool line_start_ = true;    // only blanks since the line began
    bool blank_line_ = true;    // the same, kept inside quotes too
    bool blank_ahead_ = false;  // the same at searched_
    bool run_ = false;          // in a run of ` that does not close, at searched_
};

}  // namespace arbiter::reader::internal
