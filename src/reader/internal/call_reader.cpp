#include "reader/internal/call_reader.h"

#include <algorithm>

#include "base/limits.h"
#include "reader/internal/calls.h"
#include "reader/internal/glyph.h"

namespace arbiter::reader::internal {

using proposal::Code;
using proposal::Dialect;
using proposal::Notice;

namespace {

// Bytes from the bracket of a call in which its first argument begins.
constexpr std::size_t kBlanksMax = 64;

}  // namespace

Scan CallReader::begin(std::size_t at) {
    const bool wide = state_.window[at] != '(';
    const std::size_t bracket = wide ? at - 2 : at;
    const std::size_t arguments = at + 1;
    state_.scanned = arguments;
    const std::string_view tail = state_.tail_of(bracket);
    const auto head = call_head(tail);
    if (!head || !state_.options.dialects.has(head->dialect) || bracket < blocked_) {
        return Scan::kNo;
    }
    const std::size_t begin = bracket - tail.size() + head->begin;
    if (head->dialect == Dialect::kMemory) {
        const Scan quoted = has_quoted_path(bracket, arguments);
        if (quoted == Scan::kMore) {
            state_.scanned = at;
            state_.display.show(begin);
        }
        if (quoted != Scan::kDone) {
            return quoted;
        }
    }
    switch (state_.check_quoted(begin)) {
        case Scan::kMore:
            state_.scanned = at;
            return Scan::kMore;
        case Scan::kDone:
            state_.display.show(begin);
            state_.events.notice(Notice::Kind::kIgnored, "quoted", begin, arguments);
            state_.scanned = std::max(state_.scanned, arguments);
            return Scan::kNo;
        case Scan::kNo:
            break;
    }
    state_.display.show(begin);
    begin_ = begin;
    dialect_ = head->dialect;
    name_begin_ = bracket - tail.size() + static_cast<std::size_t>(head->name.data() - tail.data());
    name_size_ = head->name.size();
    bracket_ = bracket;
    if (scan_ == nullptr) {
        scan_ = std::make_unique<CallScan>(arguments, lookahead_);
    } else {
        *scan_ = CallScan(arguments, lookahead_);
    }
    arguments_done_ = false;
    tail_blanks_ = 0;
    return Scan::kDone;
}

Scan CallReader::has_quoted_path(std::size_t bracket, std::size_t arguments) const {
    const Window& window = state_.window;
    std::size_t next = arguments;
    while (next < window.end() && next < bracket + kBlanksMax &&
           blank_at(window.from(next), 0) > 0) {
        ++next;
    }
    if (window.end() - next < 3 && !state_.finished) {
        return Scan::kMore;
    }
    next += next < window.end() && window[next] == '\\' ? 1 : 0;
    const bool quoted = next < window.end() && is_quote(glyph_at(window.from(next), 0).ascii);
    return quoted ? Scan::kDone : Scan::kNo;
}

Scan CallReader::advance() {
    if (!arguments_done_) {
        if (scan_->advance(state_.window, state_.finished) == Scan::kMore) {
            return Scan::kMore;
        }
        arguments_done_ = true;
    }
    const std::size_t end = scan_->end();
    const auto tail = call_tail(state_.window.from(end), state_.finished, tail_blanks_);
    if (!tail) {
        return Scan::kMore;
    }
    // In a sentence only a call with its semicolon is a command; alone on a line it may lack it.
    const bool closed = scan_->is_closed();
    const bool alone = tail->alone && state_.starts_alone(begin_);
    const bool is_command =
        closed ? tail->semicolon || alone || state_.display.fence() != Display::Fence::kNone
               : state_.starts_alone(begin_);
    if (!is_command) {
        return pass_as_text(closed);
    }
    read_call(*tail);
    return Scan::kDone;
}

Scan CallReader::pass_as_text(bool closed) {
    const std::size_t end = scan_->end();
    if (closed) {
        state_.scanned = end;
        state_.events.notice(Notice::Kind::kIgnored, "mentioned", begin_, end);
    } else {
        blocked_ = std::max(blocked_, end);
        state_.scanned = bracket_ + 1;
        state_.events.notice(Notice::Kind::kUnclosed,
                             state_.window.view(name_begin_, name_begin_ + name_size_), begin_,
                             end);
    }
    return Scan::kNo;
}

void CallReader::read_call(const CallTail& tail) {
    const Window& window = state_.window;
    const std::size_t end = scan_->end();
    const std::size_t whole = end + tail.end;
    const bool closed = scan_->is_closed();
    const Source source = state_.source(begin_, whole, closed || end < window.end());
    Call call;
    call.dialect = dialect_;
    call.name = window.view(name_begin_, name_begin_ + name_size_);
    call.range = {0, source.text.size()};
    call.bracket = closed;
    call.closed = closed || (end < window.end() && !scan_->is_too_long() && !scan_->is_in_string());
    call.arguments = scan_->arguments();
    call.open_quote = scan_->open_quote();
    call.offset = begin_;
    call.reason = tail.reason;
    call.reason_below = tail.below;
    call.repaired = !closed || window[bracket_] != '(' || scan_->has_wide_marks();
    Output& output = state_.events.new_output();
    if (scan_->is_too_long()) {
        refuse(output, source, call.dialect, call.range, Code::kTooLarge,
               {std::string(call.name) + "(…)", std::to_string(base::kCallBytesMax)});
        state_.events.notice(Notice::Kind::kCut, call.name, begin_, whole);
    } else if (call.dialect == Dialect::kMemory) {
        read_memory_call(output, source, call);
    } else {
        call.repaired = call.repaired || !tail.semicolon;
        read_mvu_call(output, source, call);
    }
    state_.begin_block(begin_);
    state_.events.emit(output, false);
    state_.end_block(whole);
}

}  // namespace arbiter::reader::internal
