#include "reader/internal/wrappers.h"

#include <algorithm>

#include "reader/internal/glyph.h"

namespace arbiter::reader::internal {
namespace {

// Bytes of a tag with its attributes, and of a <summary> with its text. Longer ones are shown.
constexpr std::size_t kTagMax = 96;
constexpr std::size_t kSummaryMax = 256;
// Bytes that may be held back.
constexpr std::size_t kHeldMax = 1024;
// Digits of the number of a list item.
constexpr std::size_t kDigitsMax = 3;

// The closing mark of something that is not a wrapper after all: no byte of UTF-8.
constexpr const char* kNoCloser = "\xFF";

constexpr std::string_view kSummary = "<summary>";
constexpr std::string_view kSummaryEnd = "</summary>";

bool is_name_byte(char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '-' ||
           static_cast<unsigned char>(c) >= 0x80;
}

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

}  // namespace

void Wrappers::text(std::string_view text, Narrative& narrative, Sink& sink) {
    std::size_t at = 0;
    while (at < text.size()) {
        if (!is_holding()) {
            // Shown at once, up to a mark at the beginning of a line.
            std::size_t end = at;
            while (end < text.size()) {
                if (state_ == State::kText) {
                    end = std::min(text.find('\n', end), text.size());
                    state_ = end < text.size() ? State::kLine : State::kText;
                    end += end < text.size() ? 1 : 0;
                } else if (state_ == State::kFence) {
                    const bool goes_on = text[end] == mark_[0];
                    mark_ += text[end];
                    end += goes_on ? 1 : 0;
                    in_fence_ = in_fence_ != (goes_on && mark_.size() == 3);
                    state_ = goes_on && mark_.size() < 3 ? State::kFence : State::kText;
                } else if (is_blank(text[end])) {
                    ++end;
                } else if (text[end] == '`' || text[end] == '~') {
                    mark_ = text[end++];
                    state_ = State::kFence;
                } else if (!in_fence_ && begin_mark(text[end]) == Taken::kYes) {
                    break;
                } else {
                    state_ = State::kText;
                }
            }
            if (end > at) {
                narrative.text(text.substr(at, end - at), sink);
            }
            at = end;
            if (at < text.size()) {
                hold(text[at++]);
            }
            continue;
        }
        const char c = text[at];
        const Taken taken = state_ == State::kCut ? behind_cut(c, narrative) : take(c);
        if (taken == Taken::kNo) {
            flush(narrative, sink);
            continue;  // the byte is read again
        }
        if (taken == Taken::kYes) {
            ++at;
        }
    }
}

Wrappers::Taken Wrappers::take(char c) {
    std::size_t size = 0;
    for (const std::string& each : held_) {
        size += each.size();
    }
    if (size >= kHeldMax) {
        return Taken::kNo;
    }
    const Taken taken = state_ == State::kOpener ? go_on_mark(c) : behind_mark(c);
    if (taken == Taken::kYes) {
        hold(c);
    }
    return taken;
}

void Wrappers::hold(char c) {
    if (held_.empty()) {
        held_.emplace_back();
    }
    held_.back() += c;
}

// kNo: no wrapper begins with this byte.
Wrappers::Taken Wrappers::begin_mark(char c) {
    if (c != '<' && c != '*' && c != '_' && c != '-' && !is_digit(c)) {
        return Taken::kNo;
    }
    mark_ = c;
    state_ = State::kOpener;
    return Taken::kYes;
}

void Wrappers::open(std::string closer) {
    if (!closer.empty()) {
        closers_.push_back(std::move(closer));
    }
    mark_.clear();
    state_ = State::kOpen;
}

Wrappers::Taken Wrappers::go_on_mark(char c) {
    const char first = mark_[0];
    if (first == '<') {
        const bool in_summary =
            mark_.starts_with(kSummary) && !closers_.empty() && closers_.back() == "</details>";
        if (in_summary) {
            mark_ += c;
            if (mark_.ends_with(kSummaryEnd)) {
                open({});
            }
            return mark_.size() > kSummaryMax ? Taken::kNo : Taken::kYes;
        }
        const bool name = mark_.size() == 1;
        if ((name && !is_name_byte(c)) || c == '<' || c == '\n' || mark_.size() > kTagMax) {
            return Taken::kNo;
        }
        mark_ += c;
        if (c != '>' || mark_ == kSummary) {
            return Taken::kYes;
        }
        if (mark_[mark_.size() - 2] == '/') {
            return Taken::kNo;  // <br/> wraps nothing
        }
        const auto end = std::ranges::find_if_not(mark_.begin() + 1, mark_.end(), is_name_byte);
        open("</" + std::string(mark_.begin() + 1, end) + ">");
        return Taken::kYes;
    }
    if (is_digit(first)) {
        if (is_digit(c) && mark_.size() < kDigitsMax) {
            mark_ += c;
            return Taken::kYes;
        }
        if (c == '.' || c == ')') {
            open("\n");
            return Taken::kYes;
        }
        return Taken::kNo;
    }
    if (c == first && first != '-' && mark_.size() < 3) {
        mark_ += c;
        return Taken::kYes;
    }
    if (mark_.size() == 1 && first != '_') {
        if (!is_space(c)) {
            return Taken::kNo;
        }
        open("\n");
        return Taken::kYes;
    }
    if (mark_.size() == 1 || !is_space(c)) {
        return Taken::kNo;
    }
    open(mark_);
    return Taken::kAgain;
}

Wrappers::Taken Wrappers::behind_mark(char c) {
    const bool is_tag = closers_.back().starts_with('<');
    if (is_space(c) || (c == '\n' && is_tag)) {
        return Taken::kYes;
    }
    const bool may_nest = is_tag || closers_.back() == "\n";
    return may_nest ? begin_mark(c) : Taken::kNo;
}

// Only the closing marks of the wrappers may follow, the innermost first.
Wrappers::Taken Wrappers::behind_cut(char c, Narrative& narrative) {
    const std::string& closer = closers_.back();
    if (mark_.empty() && is_blank(c)) {
        // Blanks alone show nothing: the text so far may yet turn out to be thought.
        if (c == '\n' && closer == "\n") {
            closers_.pop_back();
            if (closers_.empty()) {
                remove(narrative);
                return Taken::kAgain;  // the line break stays
            }
        } else if (c == '\n' && !closer.starts_with('<')) {
            closers_ = {kNoCloser};
        }
        hold(c);
        return Taken::kYes;
    }
    if (c != closer[mark_.size()]) {
        return Taken::kNo;
    }
    hold(c);
    mark_ += c;
    if (mark_ == closer) {
        mark_.clear();
        closers_.pop_back();
        if (closers_.empty()) {
            remove(narrative);
        }
    }
    return Taken::kYes;
}

void Wrappers::remove(Narrative& narrative) {
    restart();
    narrative.cut();
}

void Wrappers::cut(Narrative& narrative) {
    if (state_ == State::kOpener && mark_.size() > 1 && (mark_[0] == '*' || mark_[0] == '_')) {
        open(mark_);
    }
    if (state_ == State::kOpen || (state_ == State::kCut && mark_.empty())) {
        state_ = State::kCut;
        held_.emplace_back();
        return;
    }
    if (is_holding()) {
        // The block interrupts a mark: the text before and behind it is shown.
        held_.emplace_back();
        mark_.clear();
        closers_ = {kNoCloser};
        state_ = State::kCut;
        return;
    }
    narrative.cut();
}

void Wrappers::flush(Narrative& narrative, Sink& sink) {
    for (std::size_t i = 0; i < held_.size(); ++i) {
        if (i > 0) {
            narrative.cut();
        }
        narrative.text(held_[i], sink);
    }
    restart();
    state_ = State::kText;
}

void Wrappers::finish(Narrative& narrative, Sink& sink) {
    const bool is_item =
        state_ == State::kCut && mark_.empty() &&
        std::ranges::all_of(closers_, [](const auto& each) { return each == "\n"; });
    if (is_item) {
        remove(narrative);
    }
    flush(narrative, sink);
}

}  // namespace arbiter::reader::internal
