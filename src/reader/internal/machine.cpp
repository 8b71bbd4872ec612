#include "reader/internal/machine.h"

#include <algorithm>

#include "base/limits.h"
#include "reader/internal/body.h"
#include "reader/internal/byte_set.h"
#include "reader/internal/glyph.h"
#include "reader/internal/special.h"
#include "text/utf8.h"

namespace arbiter::reader {

using proposal::Dialect;
using proposal::Notice;

namespace {

// How far back the name of a call is looked for; less than kLookBack.
constexpr std::size_t kNameMax = 48;
// Bytes that may end a block, or be the last of a wide mark that may: ］ ｝ and ）.
constexpr internal::ByteSet kJsonEnders("]}`~\xBD\x9D");
constexpr internal::ByteSet kCallEnders(")>\n`~\x89");
constexpr internal::ByteSet kRegionEnders(">");
// A wide mark is known to be one when as many bytes are there.
constexpr std::size_t kMarkAhead = 4;
// Bytes of a block that may wait to be looked at.
constexpr std::size_t kWaitMax = 4096;

// Bytes that are looked at one by one.
constexpr std::size_t kSmallFeed = 16;

// The beginning of a character of three bytes, or such a character: not the first and the last of
// them (E0, ED), for which more must be checked.
bool is_three_bytes(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0xE1 || byte(0) > 0xEF || byte(0) == 0xED) {
        return false;
    }
    for (std::size_t i = 1; i < text.size() && i < 3; ++i) {
        if ((byte(i) & 0xC0) != 0x80) {
            return false;
        }
    }
    return true;
}

// How much of a text is ASCII and such characters.
std::size_t plain_beginning(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        if (static_cast<unsigned char>(text[at]) < 0x80) {
            ++at;
        } else if (text.size() - at >= 3 && is_three_bytes(text.substr(at))) {
            at += 3;
        } else {
            break;
        }
    }
    return at;
}

}  // namespace

Reader::Machine::Machine(Options options) : options_(std::move(options)), tags_(options_) {}

// ---- bytes in

void Reader::Machine::feed(std::string_view bytes, Sink& sink) {
    window_.append_hidden(bytes);
    if (!show_plain(sink) && !may_wait(bytes)) {
        reveal();
        run(sink, false);
    }
}

// Most small feeds are narrative in which nothing can begin; that is seen on the way through their
// characters. False: whatever came has yet to be looked at.
bool Reader::Machine::show_plain(Sink& sink) {
    const std::string_view hidden = window_.hidden();
    if (mode_ != Mode::kProse || shown_ != window_.end() || hidden.size() > kSmallFeed || !begun_ ||
        fence_.state == Fence::State::kUndecided || fence_.state == Fence::State::kHidden) {
        return false;
    }
    std::size_t at = 0;
    while (at < hidden.size()) {
        if (static_cast<unsigned char>(hidden[at]) < 0x80) {
            if (internal::kSpecial.has(hidden[at])) {
                return false;
            }
            ++at;
        } else if (!is_three_bytes(hidden.substr(at)) ||
                   (hidden[at] == '\xEF' && hidden.substr(at).starts_with("（"))) {
            return false;
        } else if (hidden.size() - at < 3) {
            break;
        } else {
            at += 3;
        }
    }
    window_.reveal(at);
    if (at > 0 && static_cast<unsigned char>(hidden[at - 1]) < 0x80 &&
        internal::call_beginning(tail_of(window_.end())) > 0) {
        run(sink, false);
        return true;
    }
    narrative_.text(hidden.substr(0, at), sink);
    scan_ = shown_ = window_.end();
    if (shown_ >= window_.begin() + kForgetMin) {
        forget();
    }
    return true;
}

// Inside a block nothing can be told before a byte comes that may end it, so that small feeds need
// not be looked at one by one.
bool Reader::Machine::may_wait(std::string_view bytes) const {
    const internal::ByteSet* enders = nullptr;
    if (mode_ == Mode::kJson && json_scan_->is_command()) {
        enders = &kJsonEnders;
    } else if (mode_ == Mode::kCall) {
        enders = &kCallEnders;
    } else if (mode_ == Mode::kRegion && holds_region() && region_.scanned == window_.end()) {
        enders = &kRegionEnders;
    }
    if (enders == nullptr || window_.hidden().size() >= kWaitMax) {
        return false;
    }
    return std::ranges::none_of(window_.last(bytes.size() + kMarkAhead - 1),
                                [enders](char byte) { return enders->has(byte); });
}

// Broken UTF-8 is replaced before anybody looks at it; a character that is not complete waits.
void Reader::Machine::reveal() {
    const auto is_incomplete = [](std::string_view rest, const text::Decoded& bad) {
        return bad.size == rest.size() && static_cast<unsigned char>(rest[0]) >= 0xC2;
    };
    const std::string_view hidden = window_.hidden();
    // Small feeds are mostly whole characters of one or three bytes, and the beginning of one.
    const std::size_t plain = hidden.size() <= kSmallFeed ? plain_beginning(hidden) : 0;
    const std::size_t left = hidden.size() - plain;
    if (left == 0 || (left < 3 && is_three_bytes(hidden.substr(plain)))) {
        window_.reveal(plain);
        return;
    }
    const std::size_t valid = std::min(text::find_invalid(hidden), hidden.size());
    window_.reveal(valid);
    if (valid == hidden.size() ||
        is_incomplete(hidden.substr(valid), text::decode(hidden.substr(valid)))) {
        return;
    }
    const std::string broken(hidden.substr(valid));
    std::string_view rest = broken;
    window_.drop_hidden();
    while (!rest.empty()) {
        const text::Decoded bad = text::decode(rest);
        if (is_incomplete(rest, bad)) {
            window_.append_hidden(rest);
            return;
        }
        append_replacement();
        rest.remove_prefix(std::max<std::size_t>(bad.size, 1));
        const std::size_t good = std::min(text::find_invalid(rest), rest.size());
        window_.append(rest.substr(0, good));
        rest.remove_prefix(good);
    }
}

void Reader::Machine::append_replacement() {
    if (!bad_utf8_) {
        bad_utf8_ = window_.end();
    }
    window_.append("\uFFFD");
}

void Reader::Machine::finish(Sink& sink) {
    reveal();
    if (!window_.hidden().empty()) {
        window_.drop_hidden();
        append_replacement();
    }
    run(sink, true);
    if (fence_.state == Fence::State::kHidden) {
        // It was never closed, so what stands behind its last command is the story.
        show(sink, window_.end());
        notice(sink, Notice::What::kUnclosed, "```", fence_.begin, window_.end());
        show_kept(sink);
    }
    fence_.state = Fence::State::kNone;
    show(sink, window_.end());
    narrative_.finish(sink);
    settle(sink);
}

void Reader::Machine::run(Sink& sink, bool finished) {
    bool moved = true;
    while (moved) {
        switch (mode_) {
            case Mode::kProse:
                moved = prose(sink, finished);
                break;
            case Mode::kJson:
                moved = json(sink, finished);
                break;
            case Mode::kJsonSkip:
                moved = json_skip(sink, finished);
                break;
            case Mode::kCall:
                moved = call(sink, finished);
                break;
            case Mode::kCallTail:
                moved = call_tail(sink, finished);
                break;
            case Mode::kRegion:
                moved = region(sink, finished);
                break;
        }
    }
    forget();
}

// Bytes that nobody will ask for again may go.
void Reader::Machine::forget() {
    std::size_t keep = shown_;
    if (mode_ != Mode::kProse && mode_ != Mode::kJsonSkip) {
        const bool streams = mode_ == Mode::kRegion && !holds_region();
        keep = streams ? shown_ : std::min(keep, block_);
    } else if (mode_ == Mode::kJsonSkip) {
        keep = json_scan_->needs();
    }
    if (keep < window_.begin() + kForgetMin) {
        return;
    }
    // Quotes are followed from a blank line on, where none can be open.
    if (quotes_.at() < keep) {
        const std::string_view old = window_.view(std::max(quotes_.at(), window_.begin()), keep);
        const std::size_t blank = old.rfind("\n\n");
        if (blank != std::string_view::npos) {
            quotes_.reset(keep - old.size() + blank + 2, true);
        }
        if (keep - quotes_.at() > kForgetMin) {
            quotes_.advance(window_, keep);
        }
    }
    // One byte more: whether a quote opens depends on the one before it.
    const std::size_t need = std::min(keep, std::max(quotes_.at(), window_.begin() + 1) - 1);
    window_.forget_before(std::max(need - std::min(need, kLookBack), window_.begin()));
}

// ---- narrative

// Shows what is known to be narrative. In a fence it is decided first whether it is shown at all.
void Reader::Machine::show(Sink& sink, std::size_t to) {
    if (to <= shown_) {
        return;
    }
    if (fence_.state == Fence::State::kUndecided) {
        check_fence(to);
        if (fence_.state == Fence::State::kUndecided) {
            return;
        }
    }
    if (fence_.state == Fence::State::kHidden) {
        add_junk(to);
        shown_ = to;
        return;
    }
    narrative_.text(window_.view(shown_, to), sink);
    shown_ = to;
}

void Reader::Machine::begin_block(Sink& sink, std::size_t at) {
    show(sink, at);
    if (fence_.state == Fence::State::kUndecided) {
        fence_.state = Fence::State::kHidden;
        shown_ = at;
    }
    if (fence_.state == Fence::State::kHidden) {
        end_junk(sink);
    }
    narrative_.cut();
}

void Reader::Machine::end_block(std::size_t end) {
    mode_ = Mode::kProse;
    narrative_.cut();
    shown_ = end;
    scan_ = end;
    block_end_ = end;
    quotes_.reset(end, false);
}

// ---- fences

void Reader::Machine::open_fence(Sink& sink, std::size_t at, std::size_t content, char mark,
                                 std::size_t marks, bool readable) {
    show(sink, at);
    fence_ = {readable ? Fence::State::kUndecided : Fence::State::kOpaque,
              mark,
              marks,
              at,
              content,
              0,
              0};
    scan_ = content;
    quotes_.reset(content, false);
}

void Reader::Machine::close_fence(Sink& sink, std::size_t at, std::size_t end) {
    const bool hidden = fence_.state == Fence::State::kHidden;
    if (hidden) {
        show(sink, at);
        end_junk(sink);
        shown_ = end;
        block_end_ = end;
        narrative_.cut();
    }
    fence_.state = Fence::State::kNone;
    scan_ = end;
    quotes_.reset(end, false);
}

// A fence whose content begins with narrative is shown as it is. Comments decide nothing.
void Reader::Machine::check_fence(std::size_t to) {
    while (fence_.checked < to) {
        const std::string_view rest = window_.view(fence_.checked, to);
        if (internal::is_blank(rest[0])) {
            ++fence_.checked;
        } else if (rest.starts_with("//") || rest == "/") {
            const std::size_t line = rest.find('\n');
            if (line == std::string_view::npos && rest.size() < base::kUndecidedBytesMax) {
                return;
            }
            if (line == std::string_view::npos || line >= base::kUndecidedBytesMax) {
                fence_.state = Fence::State::kShown;
                return;
            }
            fence_.checked += line;
        } else {
            fence_.state = Fence::State::kShown;
            return;
        }
    }
}

// Text between the commands of a hidden fence: no narrative, and no command either. Lines that are
// comments do not count. Byte by byte, so that it does not matter how the text came in pieces.
void Reader::Machine::add_junk(std::size_t to) {
    keep(window_.view(shown_, to));
    const auto add = [&](std::size_t begin, std::size_t end) {
        fence_.junk_begin = fence_.junk_begin == fence_.junk_end ? begin : fence_.junk_begin;
        fence_.junk_end = end;
        fence_.line = Fence::Line::kText;
    };
    for (std::size_t at = shown_; at < to; ++at) {
        const char c = window_[at];
        if (c == '\n') {
            fence_.line = Fence::Line::kBlank;
        } else if (fence_.line == Fence::Line::kComment || internal::is_blank(c)) {
            continue;
        } else if (c == '/' && fence_.line == Fence::Line::kBlank) {
            fence_.line = Fence::Line::kSlash;
        } else if (c == '/' && fence_.line == Fence::Line::kSlash) {
            fence_.line = Fence::Line::kComment;
        } else {
            add(fence_.line == Fence::Line::kSlash ? at - 1 : at, at + 1);
        }
    }
}
// Up to a fixed number of bytes, whatever pieces they came in.
void Reader::Machine::keep(std::string_view text) {
    kept_ += text.substr(0, base::kKeptBytesMax - kept_.size());
}
void Reader::Machine::show_kept(Sink& sink) {
    if (const std::size_t broken = text::find_invalid(kept_); broken != std::string_view::npos) {
        kept_.resize(broken);  // the last character did not fit
    }
    narrative_.text(kept_, sink);
    kept_.clear();
}
void Reader::Machine::end_junk(Sink& sink) {
    kept_.clear();
    fence_.line = Fence::Line::kBlank;
    if (fence_.junk_begin != fence_.junk_end) {
        notice(sink, Notice::What::kIgnored, "not_a_command", fence_.junk_begin, fence_.junk_end);
        fence_.junk_begin = fence_.junk_end = 0;
    }
}

// ---- prose

bool Reader::Machine::prose(Sink& sink, bool finished) {
    if (!begun_ && !begin_reply(sink, finished)) {
        return false;
    }
    if (mode_ != Mode::kProse) {
        return true;
    }
    while (true) {
        // With the two bytes before: a wide bracket may have begun there.
        const std::size_t before = std::min<std::size_t>(scan_ - window_.begin(), 2);
        const std::size_t at =
            scan_ - before + internal::find_special(window_.from(scan_ - before), before);
        if (at == window_.end()) {
            scan_ = at;
            const std::size_t held = finished ? 0 : internal::call_beginning(tail_of(at));
            show(sink, at - held);
            return false;
        }
        if (!candidate_at(at, sink, finished)) {
            return false;
        }
        if (mode_ != Mode::kProse) {
            return true;
        }
    }
}

// The last bytes before `at`, back to the last block at most.
std::string_view Reader::Machine::tail_of(std::size_t at) const {
    const std::size_t begin =
        std::max({window_.begin(), block_end_, at > kNameMax ? at - kNameMax : 0});
    return window_.view(std::min(begin, at), at);
}

// What stands at a special byte. False: more text is needed; then scan_ is still there.
bool Reader::Machine::candidate_at(std::size_t at, Sink& sink, bool finished) {
    scan_ = at;
    const char c = window_[at];
    if (fence_.state == Fence::State::kOpaque && c != '`' && c != '~') {
        ++scan_;
        return true;
    }
    switch (c) {
        case '<':
            return tag_at(at, sink, finished);
        case '`':
        case '~':
            return fence_at(at, sink, finished);
        case '{':
        case '[':
            return json_at(at, sink, finished);
        case '|':
            return pipe_at(at, sink, finished);
        default:
            return call_at(at, sink, finished);
    }
}

// Whether a block may begin at `at`; if it is quoted, scan_ moves behind the quote.
bool Reader::Machine::is_free(std::size_t at, Sink& sink, bool finished, bool& more) {
    std::size_t until = 0;
    switch (quotes_.judge(window_, at, finished, until)) {
        case internal::Quotes::Verdict::kFree:
            return true;
        case internal::Quotes::Verdict::kMore:
            show(sink, at);
            more = true;
            return false;
        case internal::Quotes::Verdict::kQuoted:
            scan_ = std::max(until, at + 1);
            return false;
    }
    return false;
}

bool Reader::Machine::at_line_start(std::size_t at) const {
    // Only as far as is always known, so that it does not matter how the text came in pieces.
    const std::size_t stop = std::max(window_.begin(), at > kLookBack ? at - kLookBack : 0);
    while (at > stop && (window_[at - 1] == ' ' || window_[at - 1] == '\t')) {
        --at;
    }
    return at == 0 || (at > window_.begin() && window_[at - 1] == '\n');
}

bool Reader::Machine::fence_at(std::size_t at, Sink& sink, bool finished) {
    const std::string_view text = window_.from(at);
    const char mark = text[0];
    std::size_t marks = 1;
    while (marks < text.size() && marks < kMarksMax && text[marks] == mark) {
        ++marks;
    }
    if (marks == kMarksMax) {
        scan_ = at + marks;  // a line of marks is no fence
        return true;
    }
    if (marks == text.size() && !finished) {
        show(sink, at);
        return false;
    }
    if (fence_.state == Fence::State::kUndecided) {
        show(sink, at);  // decides, if what came so far is enough
    }
    if (fence_.state != Fence::State::kNone) {
        const bool closes = mark == fence_.mark && marks >= fence_.marks &&
                            (fence_.state == Fence::State::kUndecided ||
                             fence_.state == Fence::State::kHidden || at_line_start(at));
        if (!closes) {
            scan_ = at + marks;
            return true;
        }
        std::size_t end = marks;
        while (end < text.size() && internal::is_letter(text[end])) {
            ++end;
        }
        if (end == text.size() && !finished) {
            show(sink, at);
            return false;
        }
        if (fence_.state == Fence::State::kOpaque && (end > marks || fence_.nested > 0)) {
            // A fence inside a listing, or its end.
            fence_.nested = end > marks ? fence_.nested + 1 : fence_.nested - 1;
            scan_ = at + end;
            return true;
        }
        close_fence(sink, at, at + marks);
        if (end > marks && at_line_start(at)) {
            scan_ = at;  // the next fence begins where this one should have ended
            return true;
        }
        return true;
    }
    if (marks < 3) {
        scan_ = at + marks;
        return true;
    }
    // ```json, the rest of the line, or the content at once.
    std::size_t end = marks;
    while (end < text.size() && end < kInfoMax && text[end] != '\n' && text[end] != '{' &&
           text[end] != '[' && text[end] != mark) {
        ++end;
    }
    if (end == text.size() && !finished) {
        show(sink, at);
        return false;
    }
    const std::string_view info = trim(text.substr(marks, end - marks));
    const bool known = is_readable_language(info);
    const bool starts_line = at_line_start(at);
    if (end >= kInfoMax || (end < text.size() && text[end] == mark) ||
        (!starts_line && (info.empty() || !known))) {
        scan_ = at + marks;
        return true;
    }
    if (bool more = false; !starts_line && !is_free(at, sink, finished, more)) {
        scan_ = more ? at : std::max(scan_, at + marks);
        return !more;
    }
    open_fence(sink, at, at + end, mark, marks, known);
    return true;
}

// set|path|value, the form of an older card: no longer read, but not passed over in silence.
bool Reader::Machine::pipe_at(std::size_t at, Sink& sink, bool finished) {
    scan_ = at + 1;
    const std::string_view tail = tail_of(at);
    std::size_t begin = tail.size();
    while (begin > 0 && internal::is_letter(tail[begin - 1])) {
        --begin;
    }
    const std::string_view word = tail.substr(begin);
    if (!options_.dialects.has(Dialect::kTavern) || !at_line_start(at - word.size()) ||
        find_verb(Dialect::kTavern, word) == nullptr) {
        return true;
    }
    constexpr std::string_view kRoot = "character.saveData.";
    const std::string_view path = window_.from(at + 1).substr(0, kRoot.size());
    if (!finished && path.size() < kRoot.size() && kRoot.starts_with(path)) {
        scan_ = at;
        show(sink, at);
        return false;
    }
    if (path == kRoot) {
        show(sink, at);
        notice(sink, Notice::What::kIgnored, "pipe_form", at - word.size(), at + 1 + path.size());
    }
    return true;
}

// Languages of a fence whose content may be commands; any other is a listing of code.
bool Reader::Machine::is_readable_language(std::string_view info) {
    if (info.empty()) {
        return true;
    }
    std::string word(info.substr(0, std::min(info.find(' '), info.size())));
    std::ranges::transform(word, word.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    constexpr std::string_view kLanguages[] = {
        "json",      "json5",      "jsonc",  "jsonl",
        "js",        "javascript", "xml",    "html",
        "yaml",      "yml",        "text",   "txt",
        "plaintext", "mvu",        "tavern", "tavern_commands",
        "filament"};
    return std::ranges::find(kLanguages, word) != std::end(kLanguages);
}

}  // namespace arbiter::reader
