// Quotes: finds the quoted parts of the narrative, in which nothing is a command.
//
// Quotes are “…” 「…」 『…』 《…》 "…" and `…`, lines that begin with > or //, indented code,
// HTML comments, /* … */ and <code>. The text is examined only when a command seems to begin, from
// the last place known to be unquoted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/lazy.h"
#include "reader/internal/scan.h"
#include "reader/internal/window.h"

namespace arbiter::reader::internal {

class Quotes {
  public:
    // No quote is open at `at`.
    void reset(std::size_t at, bool line_start) noexcept;
    // Offset up to which the narrative was examined; older text is not needed.
    [[nodiscard]] std::size_t at() const noexcept { return at_; }
    void advance(const Window& window, std::size_t to);

    // The kind of text at the place that find() is asked about.
    enum class Place : std::uint8_t {
        kText,
        kLine,   // a tag at the beginning of a line: only comments and listings quote it
        kFence,  // a fence at the beginning of a line, or text in a fence: indentation is nothing
    };
    // kDone: `at` is quoted, up to quote_end(). kNo: it is not.
    Scan find(const Window& window, std::size_t at, bool finished, Place place, bool in_fence);
    // Whether text may be skipped up to a blank line behind it: no quote in it spans one.
    [[nodiscard]] bool may_skip(std::string_view text) const noexcept;
    // Where the quote that find() found ends, as far as that is known.
    [[nodiscard]] std::size_t quote_end() const noexcept { return quote_end_; }

  private:
    enum class Kind : std::uint8_t {
        kNone,
        kLine,
        kDouble,
        kCode,
        kTitle,
        kIndented,
        kCurly,
        kCorner,
        kHollow,
        kComment,
        kBlockComment,
        kCodeTag,
        kPreTag
    };

    // “…”, 「…」 and 『…』 span line breaks, but neither blank lines nor fences.
    [[nodiscard]] bool spans_lines() const noexcept { return kind_ >= Kind::kCurly; }
    // Comments and <code> span everything.
    [[nodiscard]] bool spans_blank_lines() const noexcept { return kind_ >= Kind::kComment; }
    [[nodiscard]] std::string_view long_closer() const noexcept;
    Scan find_long_end(const Window& window, std::size_t at, bool finished);
    std::size_t step(const Window& window, std::size_t to);
    Kind opener(const Window& window, std::size_t at, std::size_t to, std::size_t& size) const;
    std::size_t closer(const Window& window, std::size_t at) const;
    Scan found(std::size_t end) noexcept;
    // The text from `at` to `end` has no closing mark of the open quote.
    Scan not_found(std::size_t at, std::size_t end);
    [[nodiscard]] bool is_unclosed(std::size_t at) const noexcept;
    Scan find_code_end(const Window& window, bool finished);

    struct Stretch {
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    std::size_t at_ = 0;
    std::size_t quote_end_ = 0;
    // By kind: the last stretch without its closing mark, so that each text is searched once.
    base::Lazy<std::array<Stretch, static_cast<std::size_t>(Kind::kPreTag) + 1>> unclosed_;
    std::size_t searched_ = 0;    // find() saw no closing quote before this
    std::size_t code_marks_ = 0;  // how many ` opened inline code
    Kind kind_ = Kind::kNone;
    std::size_t indent_ = 0;    // blanks at the beginning of the line
    std::size_t wasted_ = 0;    // bytes that were searched for closers that do not come
    bool after_gap_ = true;     // the line before is blank, or indented code
    bool code_line_ = false;    // this line is indented code
    bool line_start_ = true;    // only blanks since the line began
    bool blank_line_ = true;    // the same, tracked inside quotes too
    bool blank_ahead_ = false;  // the same at searched_
    bool in_run_ = false;       // searched_ is in a run of ` that does not close
};

}  // namespace arbiter::reader::internal
