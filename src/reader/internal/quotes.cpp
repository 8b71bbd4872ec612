#include "reader/internal/quotes.h"

#include <algorithm>

#include "reader/internal/glyph.h"
#include "reader/internal/special.h"

namespace arbiter::reader::internal {
namespace {

bool starts_with(const Window& window, std::size_t at, std::size_t to, std::string_view what) {
    return to - at >= what.size() && window.view(at, at + what.size()) == what;
}

bool is_word(char c) {
    return is_letter(c) || is_digit(c);
}

// A longer run of marks opens no inline code.
constexpr std::size_t kMarksMax = 64;

bool is_fence_mark(char c) {
    return c == '`' || c == '~';
}
// Three marks at the beginning of a line.
bool is_fence(std::string_view text) {
    return text.starts_with("```") || text.starts_with("~~~");
}

}  // namespace

void Quotes::reset(std::size_t at, bool line_start) noexcept {
    at_ = at;
    searched_ = at;
    kind_ = Kind::kNone;
    line_start_ = line_start;
    blank_line_ = line_start;
    run_ = false;
}

Quotes::Kind Quotes::opener(const Window& window, std::size_t at, std::size_t to,
                            std::size_t& size) const {
    const char c = window[at];
    size = 1;
    if (line_start_ && c == '>') {
        return Kind::kLine;
    }
    if (line_start_ && starts_with(window, at, to, "//")) {
        return Kind::kLine;
    }
    switch (c) {
        case '"':
            return at > window.begin() && is_word(window[at - 1]) ? Kind::kNone : Kind::kDouble;
        case '`':
            while (at + size < to && window[at + size] == '`') {
                ++size;
            }
            return size < kMarksMax ? Kind::kCode : Kind::kNone;
        case '<':
            size = 4;
            return starts_with(window, at, to, "<!--") ? Kind::kComment : Kind::kNone;
        case '\xE2':
            size = 3;
            return starts_with(window, at, to, "“") ? Kind::kCurly : Kind::kNone;
        case '\xE3':
            size = 3;
            return starts_with(window, at, to, "「")   ? Kind::kCorner
                   : starts_with(window, at, to, "『") ? Kind::kHollow
                                                       : Kind::kNone;
        default:
            return Kind::kNone;
    }
}

// Bytes of the mark at `at` that closes the open quote; 0 if there is none.
std::size_t Quotes::closer(const Window& window, std::size_t at) const {
    const std::size_t to = window.end();
    switch (kind_) {
        case Kind::kNone:
        case Kind::kLine:
            return 0;
        case Kind::kDouble:
            return window[at] == '"' ? 1 : 0;
        case Kind::kCode: {
            std::size_t marks = 0;
            while (at + marks < to && window[at + marks] == '`') {
                ++marks;
            }
            return marks == code_marks_ ? marks : 0;
        }
        case Kind::kCurly:
            return starts_with(window, at, to, "”") ? 3 : 0;
        case Kind::kCorner:
            return starts_with(window, at, to, "」") ? 3 : 0;
        case Kind::kHollow:
            return starts_with(window, at, to, "』") ? 3 : 0;
        case Kind::kComment:
            return starts_with(window, at, to, "-->") ? 3 : 0;
    }
    return 0;
}

// One character or mark.
std::size_t Quotes::step(const Window& window, std::size_t to) {
    const char c = window[at_];
    if (c == '\n') {
        if (!is_over_lines() || blank_line_) {
            kind_ = Kind::kNone;
        }
        line_start_ = true;
        blank_line_ = true;
        return 1;
    }
    if (c == ' ' || c == '\t' || c == '\r') {
        return 1;
    }
    if (blank_line_ && is_over_lines() && is_fence_mark(c) && is_fence(window.view(at_, to))) {
        kind_ = Kind::kNone;  // no quote goes on over a fence
    }
    std::size_t size = 1;
    if (kind_ == Kind::kNone) {
        kind_ = opener(window, at_, to, size);
        code_marks_ = size;
        size = kind_ == Kind::kNone && c != '`' ? 1 : size;
    } else if (const std::size_t closing = closer(window, at_); closing > 0) {
        kind_ = Kind::kNone;
        size = closing;
    } else if (kind_ == Kind::kCode && c == '`') {
        while (at_ + size < to && window[at_ + size] == '`') {
            ++size;
        }
    }
    line_start_ = false;
    blank_line_ = false;
    return size;
}

void Quotes::advance(const Window& window, std::size_t to) {
    if (at_ < to) {
        // No quote goes on over a blank line: what lies before the last one need not be followed.
        const std::string_view text = window.view(at_, to);
        const std::size_t blank = text.rfind("\n\n");
        if (blank != std::string_view::npos) {
            reset(at_ + blank + 2, true);
        }
    }
    while (at_ < to) {
        at_ += line_start_ ? 0 : find_quote_mark(window.view(at_, to));
        if (at_ < to) {
            at_ += step(window, to);
        }
    }
    searched_ = std::max(searched_, at_);
}

Quotes::Verdict Quotes::judge(const Window& window, std::size_t at, bool finished,
                              std::size_t& until) {
    advance(window, at);
    if (at_ > at) {
        until = at_;  // inside a mark
        return Verdict::kQuoted;
    }
    if (kind_ == Kind::kNone) {
        return Verdict::kFree;
    }
    if (kind_ == Kind::kLine) {
        until = at + 1;  // and whatever else seems to begin on this line
        return Verdict::kQuoted;
    }
    searched_ = std::max(searched_, at);
    bool blank = searched_ == at ? blank_line_ : blank_ahead_;
    for (; searched_ < window.end(); ++searched_) {
        const char c = window[searched_];
        if (c == '\n') {
            if (!is_over_lines() || blank) {
                // It was never closed: no quote at all.
                kind_ = Kind::kNone;
                return Verdict::kFree;
            }
            blank = blank_ahead_ = true;
            continue;
        }
        if (blank && is_over_lines() && is_fence_mark(c)) {
            if (window.end() - searched_ < 3 && !finished) {
                return Verdict::kMore;
            }
            if (is_fence(window.from(searched_))) {
                kind_ = Kind::kNone;
                return Verdict::kFree;
            }
        }
        if (!is_blank(c)) {
            blank = blank_ahead_ = false;
        }
        if (kind_ == Kind::kCode && c == '`') {
            if (run_) {
                continue;
            }
            std::size_t marks = 0;
            while (searched_ + marks < window.end() && window[searched_ + marks] == '`' &&
                   marks <= code_marks_) {
                ++marks;
            }
            if (searched_ + marks == window.end() && !finished && marks <= code_marks_) {
                return Verdict::kMore;
            }
            if (marks == code_marks_) {
                until = searched_ + marks;
                return Verdict::kQuoted;
            }
            run_ = true;  // too many or too few: over all of them
            continue;
        }
        run_ = false;
        const bool starts_mark = c == '"' || c == '-' || static_cast<unsigned char>(c) >= 0xE2;
        if (starts_mark && c != '"' && !finished && window.end() - searched_ < 3) {
            return Verdict::kMore;
        }
        if (const std::size_t closing = starts_mark ? closer(window, searched_) : 0; closing > 0) {
            until = searched_ + closing;
            return Verdict::kQuoted;
        }
    }
    if (!finished) {
        return Verdict::kMore;
    }
    kind_ = Kind::kNone;
    return Verdict::kFree;
}

}  // namespace arbiter::reader::internal
