#include "reader/internal/reply_state.h"

#include <algorithm>

#include "reader/internal/glyph.h"

namespace arbiter::reader::internal {
namespace {

// How far back the name of a call is looked for.
constexpr std::size_t kNameMax = 48;
static_assert(kNameMax < ReplyState::kLookBack);

}  // namespace

ReplyState::ReplyState(std::shared_ptr<const PreparedOptions> reader_options)
    : prepared(std::move(reader_options)),
      options(prepared->options),
      tags(prepared->tags),
      events(options),
      display(window, events) {}

void ReplyState::resume(std::size_t at) noexcept {
    scanned = at;
    quotes.reset(at, false);
}

void ReplyState::end_block(std::size_t end) {
    events.cut();
    display.skip(end);
    block_end = end;
    resume(end);
}

Scan ReplyState::check_quoted(std::size_t at, Quotes::Place place) {
    const bool in_fence = display.fence() != Display::Fence::kNone;
    const Scan quoted = quotes.find(window, at, finished, place, in_fence);
    if (quoted == Scan::kMore) {
        display.show(at);
    } else if (quoted == Scan::kDone) {
        scanned = std::max(quotes.quote_end(), at + 1);
    }
    return quoted;
}

bool ReplyState::at_line_start(std::size_t at) const {
    const std::size_t stop = std::max(window.begin(), at > kLookBack ? at - kLookBack : 0);
    while (at > stop && (window[at - 1] == ' ' || window[at - 1] == '\t')) {
        --at;
    }
    return at == 0 || (at > window.begin() && window[at - 1] == '\n');
}

bool ReplyState::starts_alone(std::size_t at) const {
    const std::size_t stop =
        std::max({window.begin(), block_end, at > kLookBack ? at - kLookBack : 0});
    while (at > stop) {
        const char c = window[at - 1];
        if (c == '\n') {
            return true;
        }
        if (c != ' ' && c != '\t' && c != '-' && c != '*' && c != '.' && !is_digit(c)) {
            return false;
        }
        --at;
    }
    return at == 0 || at == block_end;
}

std::string_view ReplyState::tail_of(std::size_t at) const {
    const std::size_t begin =
        std::max({window.begin(), block_end, at > kNameMax ? at - kNameMax : 0});
    return window.view(std::min(begin, at), at);
}

void ReplyState::count_lines(std::size_t at) {
    known_position = advance(known_position, window.view(known, at));
    known = at;
}

Source ReplyState::source(std::size_t begin, std::size_t end, bool closed) const {
    Source source;
    source.text = window.view(begin, end);
    source.offset = begin;
    source.closed = closed;
    source.dialects = options.dialects;
    source.batch = events.batch();
    source.before = window.view(known, begin);
    source.before_begin = known_position;
    return source;
}

}  // namespace arbiter::reader::internal
