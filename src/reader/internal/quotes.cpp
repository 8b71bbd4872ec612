#include "reader/internal/quotes.h"

#include <algorithm>

#include "reader/internal/byte_search.h"
#include "reader/internal/glyph.h"

namespace arbiter::reader::internal {
namespace {

bool starts_with(const Window& window, std::size_t at, std::size_t to, std::string_view what) {
    return to - at >= what.size() && window.view(at, at + what.size()) == what;
}

bool is_word(char c) {
    return is_letter(c) || is_digit(c);
}

// A longer run of marks does not open inline code.
constexpr std::size_t kMarksMax = 64;

bool is_fence_mark(char c) {
    return c == '`' || c == '~';
}
// A fence opens or closes with three marks.
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
    in_run_ = false;
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

// The size of the mark at `at` that closes the open quote; 0 if it does not.
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

// Examines one character or mark and returns its size.
std::size_t Quotes::step(const Window& window, std::size_t to) {
    const char c = window[at_];
    if (c == '\n') {
        if (!spans_lines() || blank_line_) {
            kind_ = Kind::kNone;
        }
        line_start_ = true;
        blank_line_ = true;
        return 1;
    }
    if (c == ' ' || c == '\t' || c == '\r') {
        return 1;
    }
    if (blank_line_ && spans_lines() && is_fence_mark(c) && is_fence(window.view(at_, to))) {
        kind_ = Kind::kNone;  // no quote spans a fence
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
        // No quote spans a blank line, so start behind the last one.
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

Scan Quotes::found(std::size_t end) noexcept {
    quote_end_ = end;
    return Scan::kDone;
}

// The quote was never closed, so it is not a quote.
Scan Quotes::not_found() noexcept {
    kind_ = Kind::kNone;
    return Scan::kNo;
}

Scan Quotes::find(const Window& window, std::size_t at, bool finished) {
    advance(window, at);
    if (at_ > at) {
        return found(at_);  // inside a mark
    }
    if (kind_ == Kind::kNone) {
        return Scan::kNo;
    }
    if (kind_ == Kind::kLine) {
        return found(at + 1);  // the rest of the line is found quoted again
    }
    searched_ = std::max(searched_, at);
    bool blank = searched_ == at ? blank_line_ : blank_ahead_;
    for (; searched_ < window.end(); ++searched_) {
        const char c = window[searched_];
        if (c == '\n') {
            if (!spans_lines() || blank) {
                return not_found();
            }
            blank = blank_ahead_ = true;
            continue;
        }
        if (blank && spans_lines() && is_fence_mark(c)) {
            if (window.end() - searched_ < 3 && !finished) {
                return Scan::kMore;
            }
            if (is_fence(window.from(searched_))) {
                return not_found();
            }
        }
        if (!is_blank(c)) {
            blank = blank_ahead_ = false;
        }
        if (kind_ == Kind::kCode && c == '`') {
            if (const Scan end = find_code_end(window, finished); end != Scan::kNo) {
                return end;
            }
            continue;
        }
        in_run_ = false;
        const bool starts_mark = c == '"' || c == '-' || static_cast<unsigned char>(c) >= 0xE2;
        if (starts_mark && c != '"' && !finished && window.end() - searched_ < 3) {
            return Scan::kMore;
        }
        if (const std::size_t closing = starts_mark ? closer(window, searched_) : 0; closing > 0) {
            return found(searched_ + closing);
        }
    }
    return finished ? not_found() : Scan::kMore;
}

// At a ` in inline code. kNo: too many or too few to close it, so all of them are passed over.
Scan Quotes::find_code_end(const Window& window, bool finished) {
    if (in_run_) {
        return Scan::kNo;
    }
    std::size_t marks = 0;
    while (searched_ + marks < window.end() && window[searched_ + marks] == '`' &&
           marks <= code_marks_) {
        ++marks;
    }
    if (searched_ + marks == window.end() && !finished && marks <= code_marks_) {
        return Scan::kMore;
    }
    if (marks == code_marks_) {
        return found(searched_ + marks);
    }
    in_run_ = true;
    return Scan::kNo;
}

}  // namespace arbiter::reader::internal
