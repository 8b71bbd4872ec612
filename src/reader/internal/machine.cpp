#include "reader/internal/machine.h"

#include <algorithm>

#include "reader/internal/byte_search.h"
#include "reader/internal/byte_set.h"
#include "reader/internal/glyph.h"

namespace arbiter::reader {

using internal::Display;
using proposal::Dialect;
using proposal::Notice;

namespace {

// Bytes that may end a block (a line break: before prose), or be the last byte of a wide mark that
// may: ］ ｝ and ）.
constexpr internal::ByteSet kJsonEnders("]}`~\n\xBD\x9D");
constexpr internal::ByteSet kCallEnders(")>\n`~\x89");
constexpr internal::ByteSet kRegionEnders(">");
// A scanner recognises a wide mark once this many bytes are there.
constexpr std::size_t kMarkAhead = 4;
// Bytes of a block that may wait before they are scanned.
constexpr std::size_t kWaitMax = 4096;
// Dropping less text than this does not pay.
constexpr std::size_t kForgetMin = std::size_t{16} << 10;

}  // namespace

Reader::Machine::Machine(std::shared_ptr<const PreparedOptions> options)
    : state_(std::move(options)),
      fences_(state_),
      regions_(state_),
      json_(state_),
      calls_(state_) {}

void Reader::Machine::feed(std::string_view bytes, Sink& sink) {
    state_.events.set_sink(sink);
    state_.window.append_hidden(bytes);
    if (!show_plain() && !may_wait(bytes)) {
        intake_.reveal(state_.window);
        run();
    }
}

void Reader::Machine::finish(Sink& sink) {
    state_.events.set_sink(sink);
    state_.finished = true;
    intake_.finish(state_.window);
    run();
    state_.display.finish();
    state_.events.settle(intake_.first_replaced());
}

// The fast path of small feeds, most of which are narrative in which no block can begin. False: the
// feed has yet to be read.
bool Reader::Machine::show_plain() {
    internal::Window& window = state_.window;
    const std::string_view hidden = window.hidden();
    const Display::Fence fence = state_.display.fence();
    if (mode_ != Mode::kProse || state_.display.shown() != window.end() ||
        hidden.size() > internal::kSmallFeed || !begun_ || fence == Display::Fence::kUndecided ||
        fence == Display::Fence::kHidden) {
        return false;
    }
    std::size_t at = 0;
    while (at < hidden.size()) {
        if (static_cast<unsigned char>(hidden[at]) < 0x80) {
            if (internal::kBlockStarts.has(hidden[at])) {
                return false;
            }
            ++at;
        } else if (!internal::starts_three_bytes(hidden.substr(at)) ||
                   internal::starts_wide_block(hidden.substr(at))) {
            return false;
        } else if (hidden.size() - at < 3) {
            break;
        } else {
            at += 3;
        }
    }
    window.reveal(at);
    if (at > 0 && static_cast<unsigned char>(hidden[at - 1]) < 0x80 &&
        internal::call_beginning(state_.tail_of(window.end())) > 0) {
        run();
        return true;
    }
    state_.events.text(hidden.substr(0, at));
    state_.scanned = window.end();
    state_.display.skip(window.end());
    if (window.end() >= window.begin() + kForgetMin) {
        forget();
    }
    return true;
}

// Inside a block nothing is decided before a byte that may end it, so small feeds can wait.
bool Reader::Machine::may_wait(std::string_view bytes) const {
    const internal::ByteSet* enders = nullptr;
    if (mode_ == Mode::kJson && json_.is_command() && !json_.is_skipping()) {
        enders = &kJsonEnders;
    } else if (mode_ == Mode::kCall && calls_.is_in_arguments()) {
        enders = &kCallEnders;
    } else if (mode_ == Mode::kRegion && regions_.is_held() && regions_.is_searched()) {
        enders = &kRegionEnders;
    }
    if (enders == nullptr || state_.window.hidden().size() >= kWaitMax) {
        return false;
    }
    return std::ranges::none_of(state_.window.last(bytes.size() + kMarkAhead - 1),
                                [enders](char byte) { return enders->has(byte); });
}

void Reader::Machine::run() {
    Scan scan = Scan::kNo;
    while (scan != Scan::kMore) {
        switch (mode_) {
            case Mode::kProse:
                scan = read_prose();
                continue;
            case Mode::kJson:
                scan = json_.advance();
                break;
            case Mode::kCall:
                scan = calls_.advance();
                break;
            case Mode::kRegion:
                scan = regions_.advance();
                break;
        }
        if (scan != Scan::kMore) {
            mode_ = Mode::kProse;
        }
    }
    forget();
}

// ---- narrative

Reader::Machine::Scan Reader::Machine::open(Mode mode, Scan begun) noexcept {
    if (begun == Scan::kDone) {
        mode_ = mode;
    }
    return begun;
}

Reader::Machine::Scan Reader::Machine::read_prose() {
    if (!begun_) {
        const Scan scan = open(Mode::kRegion, regions_.begin_reply());
        begun_ = scan != Scan::kMore;
        if (scan != Scan::kNo) {
            return scan;
        }
    }
    const internal::Window& window = state_.window;
    while (true) {
        // From two bytes before: a wide bracket may have begun there.
        const std::size_t before = std::min<std::size_t>(state_.scanned - window.begin(), 2);
        const std::size_t begin = state_.scanned - before;
        const std::size_t at = begin + internal::find_block_start(window.from(begin), before);
        if (at == window.end()) {
            state_.scanned = at;
            const std::size_t held =
                state_.finished ? 0 : internal::call_beginning(state_.tail_of(at));
            state_.display.show(at - held);
            return Scan::kMore;
        }
        if (const Scan scan = begin_block(at); scan != Scan::kNo) {
            return scan;
        }
    }
}

Reader::Machine::Scan Reader::Machine::begin_block(std::size_t at) {
    state_.scanned = at;
    const char c = state_.window[at];
    if (state_.display.fence() == Display::Fence::kOpaque && c != '`' && c != '~') {
        ++state_.scanned;
        return Scan::kNo;
    }
    switch (c) {
        case '<':
            return open(Mode::kRegion, regions_.begin(at));
        case '`':
        case '~':
            return fences_.read_marks(at);
        case '{':
        case '[':
            return open(Mode::kJson, json_.begin(at));
        case '|':
            return read_pipe(at);
        case '\xBB':
        case '\x9B': {
            const Scan scan = open(Mode::kJson, json_.begin(at - 2));
            if (scan == Scan::kNo) {
                state_.scanned = std::max(state_.scanned, at + 1);
            }
            return scan;
        }
        case '\x90':
            return open(Mode::kRegion, regions_.begin_mark(at - 2));
        default:
            return open(Mode::kCall, calls_.begin(at));
    }
}

// set|path|value, the form of an older card: not supported any more, but reported.
Reader::Machine::Scan Reader::Machine::read_pipe(std::size_t at) {
    state_.scanned = at + 1;
    const std::string_view tail = state_.tail_of(at);
    std::size_t begin = tail.size();
    while (begin > 0 && internal::is_letter(tail[begin - 1])) {
        --begin;
    }
    const std::string_view word = tail.substr(begin);
    if (!state_.options.dialects.has(Dialect::kTavern) || !state_.at_line_start(at - word.size()) ||
        find_verb(Dialect::kTavern, word) == nullptr) {
        return Scan::kNo;
    }
    constexpr std::string_view kRoot = "character.saveData.";
    const std::string_view path = state_.window.from(at + 1).substr(0, kRoot.size());
    if (!state_.finished && path.size() < kRoot.size() && kRoot.starts_with(path)) {
        state_.scanned = at;
        state_.display.show(at);
        return Scan::kMore;
    }
    if (path == kRoot) {
        state_.display.show(at);
        state_.events.notice(Notice::Kind::kIgnored, "pipe_form", at - word.size(),
                             at + 1 + path.size());
    }
    return Scan::kNo;
}

// ---- memory

std::size_t Reader::Machine::needed_from() const noexcept {
    const std::size_t shown = state_.display.shown();
    switch (mode_) {
        case Mode::kProse:
            return shown;
        case Mode::kJson:
            return std::min(shown, json_.needs());
        case Mode::kCall:
            return std::min(shown, calls_.begin_offset());
        case Mode::kRegion:
            return regions_.is_held() ? std::min(shown, regions_.begin_offset()) : shown;
    }
    return shown;
}

// Drops text that is not needed any more.
void Reader::Machine::forget() {
    internal::Window& window = state_.window;
    internal::Quotes& quotes = state_.quotes;
    const std::size_t keep = needed_from();
    if (keep < window.begin() + kForgetMin) {
        return;
    }
    // Quotes are followed from a blank line on, where none can be open.
    if (quotes.at() < keep) {
        const std::string_view old = window.view(std::max(quotes.at(), window.begin()), keep);
        const std::size_t blank = old.rfind("\n\n");
        if (blank != std::string_view::npos && quotes.may_skip(old.substr(0, blank))) {
            quotes.reset(keep - old.size() + blank + 2, true);
        }
        if (keep - quotes.at() > kForgetMin) {
            quotes.advance(window, keep);
        }
    }
    // One byte more: whether a quote opens depends on the byte before it.
    const std::size_t need = std::min(keep, std::max(quotes.at(), window.begin() + 1) - 1);
    constexpr std::size_t kLookBack = internal::ReplyState::kLookBack;
    const std::size_t unneeded = std::max(need - std::min(need, kLookBack), window.begin());
    if (unneeded > state_.known) {
        state_.count_lines(unneeded);
    }
    window.forget_before(unneeded);
}

}  // namespace arbiter::reader
