#include "reader/internal/quotes.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
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

// The openers of quotes that span blank lines.
constexpr auto kLongOpeners = std::to_array<std::string_view>({"<!--", "/*", "<code>", "<pre>"});
// Indentation of code.
constexpr std::size_t kCodeIndent = 4;
// Bytes in which the end of a comment with a command in it is looked for, and of all such searches
// that were in vain: beyond them it is not a comment.
constexpr std::size_t kLongMax = base::kKeptBytesMax;
constexpr std::size_t kWastedMax = std::size_t{1} << 20;

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
    after_gap_ = line_start;
    code_line_ = false;
    indent_ = 0;
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
            if (starts_with(window, at, to, "<!--")) {
                return Kind::kComment;
            }
            return starts_with(window, at, to, "<code>")  ? Kind::kCodeTag
                   : starts_with(window, at, to, "<pre>") ? Kind::kPreTag
                                                          : Kind::kNone;
        case '/':
            size = 2;
            return starts_with(window, at, to, "/*") &&
                           (at == window.begin() || is_blank(window[at - 1]) ||
                            window[at - 1] == ';' || window[at - 1] == '>')
                       ? Kind::kBlockComment
                       : Kind::kNone;
        case '\xE2':
            size = 3;
            return starts_with(window, at, to, "“") ? Kind::kCurly : Kind::kNone;
        case '\xE3':
            size = 3;
            return starts_with(window, at, to, "「")   ? Kind::kCorner
                   : starts_with(window, at, to, "『") ? Kind::kHollow
                   : starts_with(window, at, to, "《") ? Kind::kTitle
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
        case Kind::kIndented:
            return 0;
        case Kind::kTitle:
            return starts_with(window, at, to, "》") ? 3 : 0;
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
        case Kind::kBlockComment:
        case Kind::kCodeTag:
        case Kind::kPreTag:
            return starts_with(window, at, to, long_closer()) ? long_closer().size() : 0;
    }
    return 0;
}

std::string_view Quotes::long_closer() const noexcept {
    return kind_ == Kind::kComment        ? "-->"
           : kind_ == Kind::kBlockComment ? "*/"
           : kind_ == Kind::kCodeTag      ? "</code>"
                                          : "</pre>";
}

bool Quotes::may_skip(std::string_view text) const noexcept {
    if (spans_blank_lines()) {
        return false;
    }
    return std::ranges::none_of(kLongOpeners, [text](std::string_view opener) {
        return text.find(opener) != std::string_view::npos;
    });
}

// Examines one character or mark and returns its size.
std::size_t Quotes::step(const Window& window, std::size_t to) {
    const char c = window[at_];
    if (c == '\n') {
        if (!spans_blank_lines() && (!spans_lines() || blank_line_)) {
            kind_ = Kind::kNone;
        }
        after_gap_ = blank_line_ || code_line_;
        code_line_ = false;
        indent_ = 0;
        line_start_ = true;
        blank_line_ = true;
        return 1;
    }
    if (c == ' ' || c == '\t' || c == '\r') {
        indent_ += blank_line_ ? (c == '\t' ? kCodeIndent : 1) : 0;
        return 1;
    }
    if (blank_line_ && kind_ == Kind::kNone && after_gap_ && indent_ >= kCodeIndent) {
        kind_ = Kind::kIndented;
        code_line_ = true;
    }
    if (blank_line_ && spans_lines() && !spans_blank_lines() && is_fence_mark(c) &&
        is_fence(window.view(at_, to))) {
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
        if (blank != std::string_view::npos && may_skip(text.substr(0, blank))) {
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
Scan Quotes::not_found(std::size_t at, std::size_t end) {
    unclosed_.change()[static_cast<std::size_t>(kind_)] = {at, end};
    kind_ = Kind::kNone;
    searched_ = at_;
    return Scan::kNo;
}

// Marks of inline code close by their number, so a stretch says nothing about the next ones.
bool Quotes::is_unclosed(std::size_t at) const noexcept {
    const Stretch& known = (*unclosed_)[static_cast<std::size_t>(kind_)];
    return kind_ != Kind::kCode && known.begin <= at && at < known.end;
}

Scan Quotes::find(const Window& window, std::size_t at, bool finished, Place place, bool in_fence) {
    advance(window, at);
    if (at_ > at) {
        return place == Place::kText ? found(at_) : Scan::kNo;  // inside a mark
    }
    // The first character of a line decides whether the line is code.
    const bool indented = kind_ == Kind::kIndented || (kind_ == Kind::kNone && blank_line_ &&
                                                       after_gap_ && indent_ >= kCodeIndent);
    if (indented) {
        code_line_ = true;
        return place == Place::kFence || in_fence ? Scan::kNo : found(at + 1);
    }
    if (spans_blank_lines()) {
        return find_long_end(window, at, finished);
    }
    if (kind_ == Kind::kNone || place != Place::kText) {
        return Scan::kNo;
    }
    if (kind_ == Kind::kLine) {
        return found(at + 1);  // the rest of the line is found quoted again
    }
    if (is_unclosed(at)) {
        return not_found(at, (*unclosed_)[static_cast<std::size_t>(kind_)].end);
    }
    searched_ = std::max(searched_, at);
    bool blank = searched_ == at ? blank_line_ : blank_ahead_;
    for (; searched_ < window.end(); ++searched_) {
        const char c = window[searched_];
        if (c == '\n') {
            if (!spans_lines() || blank) {
                return not_found(at, searched_);
            }
            blank = blank_ahead_ = true;
            continue;
        }
        if (blank && spans_lines() && is_fence_mark(c)) {
            if (window.end() - searched_ < 3 && !finished) {
                return Scan::kMore;
            }
            if (is_fence(window.from(searched_))) {
                return not_found(at, searched_);
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
    return finished ? not_found(at, searched_) : Scan::kMore;
}

Scan Quotes::find_long_end(const Window& window, std::size_t at, bool finished) {
    const std::string_view closer = long_closer();
    searched_ = std::max(searched_, at);
    const std::string_view rest = window.view(searched_, window.end());
    const std::size_t allowed = at + kLongMax - std::min(at + kLongMax, searched_);
    const std::size_t end = rest.substr(0, allowed).find(closer);
    if (end != std::string_view::npos && wasted_ < kWastedMax) {
        return found(searched_ + end + closer.size());
    }
    if (rest.size() < allowed && !finished && wasted_ < kWastedMax) {
        searched_ += rest.size() - std::min(rest.size(), closer.size() - 1);
        return Scan::kMore;
    }
    wasted_ += kLongMax;
    return not_found(at, at);
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
