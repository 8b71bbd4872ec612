#include "reader/internal/display.h"

#include "base/limits.h"
#include "reader/internal/glyph.h"

namespace arbiter::reader::internal {

using proposal::Notice;

void Display::show(std::size_t to) {
    if (to <= shown_) {
        return;
    }
    if (fence_ == Fence::kUndecided) {
        decide_fence(to);
        if (fence_ == Fence::kUndecided) {
            return;
        }
    }
    if (fence_ == Fence::kHidden) {
        add_ignored(to);
        shown_ = to;
        return;
    }
    events_.text(window_.view(shown_, to));
    shown_ = to;
}

void Display::begin_block(std::size_t at) {
    show(at);
    if (fence_ == Fence::kUndecided) {
        fence_ = Fence::kHidden;
        shown_ = at;
    }
    if (fence_ == Fence::kHidden) {
        end_ignored();
    }
    events_.cut();
}

void Display::open_fence(std::size_t at, std::size_t content, bool readable) {
    show(at);
    fence_ = readable ? Fence::kUndecided : Fence::kOpaque;
    fence_begin_ = at;
    fence_checked_ = content;
    ignored_begin_ = ignored_end_ = 0;
    line_ = Line::kBlank;
}

void Display::make_opaque(std::size_t at) {
    show(at);
    fence_ = Fence::kOpaque;
}

void Display::close_fence(std::size_t at, std::size_t end) {
    if (fence_ == Fence::kHidden) {
        show(at);
        end_ignored();
        shown_ = end;
        events_.cut();
    }
    fence_ = Fence::kNone;
}

void Display::finish() {
    if (fence_ == Fence::kHidden) {
        // Never closed: the text behind its last command is narrative.
        show(window_.end());
        events_.notice(Notice::Kind::kUnclosed, "```", fence_begin_, window_.end());
        events_.text(held_.take());
    }
    fence_ = Fence::kNone;
    show(window_.end());
    events_.finish_text();
}

// Comments neither show nor hide a fence.
void Display::decide_fence(std::size_t to) {
    while (fence_checked_ < to) {
        const std::string_view rest = window_.view(fence_checked_, to);
        if (is_blank(rest[0])) {
            ++fence_checked_;
        } else if (rest.starts_with("//") || rest == "/") {
            const std::size_t line = rest.find('\n');
            if (line == std::string_view::npos && rest.size() < base::kUndecidedBytesMax) {
                return;
            }
            if (line >= base::kUndecidedBytesMax) {  // npos too
                fence_ = Fence::kShown;
                return;
            }
            fence_checked_ += line;
        } else {
            fence_ = Fence::kShown;
            return;
        }
    }
}

// Byte by byte, so that the result does not depend on how the text was cut into pieces.
void Display::add_ignored(std::size_t to) {
    held_.append(window_.view(shown_, to));
    const auto add = [&](std::size_t begin, std::size_t end) {
        ignored_begin_ = ignored_begin_ == ignored_end_ ? begin : ignored_begin_;
        ignored_end_ = end;
        line_ = Line::kText;
    };
    for (std::size_t at = shown_; at < to; ++at) {
        const char c = window_[at];
        if (c == '\n') {
            line_ = Line::kBlank;
        } else if (line_ == Line::kComment || is_blank(c)) {
            continue;
        } else if (c == '/' && line_ == Line::kBlank) {
            line_ = Line::kSlash;
        } else if (c == '/' && line_ == Line::kSlash) {
            line_ = Line::kComment;
        } else {
            add(line_ == Line::kSlash ? at - 1 : at, at + 1);
        }
    }
}

void Display::end_ignored() {
    held_.clear();
    line_ = Line::kBlank;
    if (ignored_begin_ != ignored_end_) {
        events_.notice(Notice::Kind::kIgnored, "not_a_command", ignored_begin_, ignored_end_);
        ignored_begin_ = ignored_end_ = 0;
    }
}

}  // namespace arbiter::reader::internal
