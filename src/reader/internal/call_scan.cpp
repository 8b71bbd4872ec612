#include "reader/internal/call_scan.h"

#include <algorithm>
#include <array>

#include "reader/internal/block_end.h"
#include "reader/internal/byte_search.h"
#include "reader/internal/byte_set.h"
#include "reader/internal/glyph.h"

namespace arbiter::reader::internal {
namespace {

constexpr std::size_t kAhead = 4;
constexpr std::size_t kLineAhead = kNameRunMax;
constexpr std::size_t kCommentMax = 4096;
// Bytes behind a command inside a string in which the end of the string is looked for.
constexpr std::size_t kStringAhead = 2048;

constexpr auto kMemoryCalls =
    std::to_array<std::string_view>({"set_attribute", "set_status", "memory", "delete"});
constexpr auto kPrefixes = std::to_array<std::string_view>({"*.", "game."});

// Bytes of the name of a call with its prefix, and its possible first bytes.
constexpr ByteSet kNameBytes("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.*");
constexpr ByteSet kFirstBytes("smd*g");
static_assert(std::ranges::all_of(kMemoryCalls,
                                  [](auto call) { return kFirstBytes.has(call[0]); }));
static_assert(std::ranges::all_of(kPrefixes, [](auto text) { return kFirstBytes.has(text[0]); }));

constexpr std::size_t kBlanksAhead = 16;

// A blank line follows, which ends every call.
bool is_blank_line(std::string_view line) {
    std::size_t at = 0;
    while (at < line.size() && at < kBlanksAhead && line[at] != '\n' && is_blank(line[at])) {
        ++at;
    }
    return at < line.size() && line[at] == '\n';
}
bool is_blank_so_far(std::string_view line) {
    return line.size() < kBlanksAhead && std::ranges::all_of(line, is_blank);
}

bool is_word(char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '$' || c == '.';
}

// The first letters of the names and prefixes with a given first letter: rejects most words of the
// narrative early.
constexpr std::string_view stem_of(char first) {
    switch (first) {
        case 's':
            return "set";
        case 'm':
            return "mem";
        case 'd':
            return "del";
        case 'g':
            return "gam";
        default:
            return "";
    }
}
constexpr bool has_stem(std::string_view word) {
    const std::string_view stem = stem_of(word[0]);
    for (std::size_t i = 1; i < stem.size() && i < word.size(); ++i) {
        if (word[i] != stem[i]) {
            return false;
        }
    }
    return true;
}
static_assert(std::ranges::all_of(kMemoryCalls, has_stem) &&
              std::ranges::all_of(kPrefixes, has_stem));

// Whether a word is the name of a memory call with its prefix, or, unless `whole`, a prefix of one.
bool is_name_beginning(std::string_view word, bool whole) {
    if (word.empty() || !kFirstBytes.has(word.front()) || !has_stem(word)) {
        return false;
    }
    for (const std::string_view name : kMemoryCalls) {
        if (whole ? name == word : name.starts_with(word)) {
            return true;
        }
        for (const std::string_view prefix : kPrefixes) {
            const bool inside = !whole && prefix.starts_with(word);
            const bool beyond =
                word.starts_with(prefix) && (whole ? word.substr(prefix.size()) == name
                                                   : name.starts_with(word.substr(prefix.size())));
            if (inside || beyond) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

Scan find_command(std::string_view line, bool finished) noexcept {
    std::size_t at = 0;
    while (at < line.size() && at < 16 && (line[at] == ' ' || line[at] == '\t')) {
        ++at;
    }
    line.remove_prefix(at);
    constexpr auto kStarts = std::to_array<std::string_view>(
        {"```", "~~~", "</", "<", "*.", "set_attribute(", "set_status(", "memory(", "delete("});
    for (const std::string_view start : kStarts) {
        if (line.starts_with(start)) {
            return Scan::kDone;
        }
    }
    if (line.starts_with("_.")) {
        std::size_t end = 2;
        while (end < line.size() && end < kLineAhead && is_letter(line[end])) {
            ++end;
        }
        if (end < line.size()) {
            return end > 2 && glyph_at(line, end).ascii == '(' ? Scan::kDone : Scan::kNo;
        }
        return finished ? Scan::kNo : Scan::kMore;
    }
    const bool may_begin =
        !finished && line.size() < kLineAhead &&
        (std::string_view("_.").starts_with(line) ||
         std::ranges::any_of(kStarts, [line](auto start) { return start.starts_with(line); }));
    return may_begin ? Scan::kMore : Scan::kNo;
}

Scan CallScan::advance(const Window& window, bool finished) {
    while (true) {
        Step step;
        switch (state_) {
            case State::kCode:
                step = code(window, finished);
                break;
            case State::kString:
                step = string(window, finished);
                break;
            case State::kComment:
                step = comment(window);
                break;
        }
        if (!step) {
            continue;
        }
        if (*step != Scan::kMore) {
            return *step;
        }
        if (!finished && window.end() < limit_) {
            return Scan::kMore;
        }
        at_ = std::min(window.end(), limit_);
        cut_off(window);
        return Scan::kDone;
    }
}

std::string_view CallScan::ahead(const Window& window) const noexcept {
    return window.view(at_, std::max(at_, std::min(window.end(), limit_)));
}

void CallScan::end_argument(std::size_t end) {
    if (arguments_.empty()) {
        arguments_.reserve(4);  // most calls have fewer
    }
    arguments_.push_back({argument_begin_, end});
}

Scan CallScan::line_end(std::string_view rest, bool finished) const noexcept {
    const Scan command = find_command(rest, finished);
    if (command == Scan::kDone || is_blank_line(rest)) {
        return Scan::kDone;
    }
    return command == Scan::kMore || (!finished && is_blank_so_far(rest)) ? Scan::kMore : Scan::kNo;
}

// `_.set('a', 5;` at the end of a line.
Scan CallScan::forgotten_bracket(std::string_view rest, bool finished) const noexcept {
    std::size_t next = glyph_at(rest, 0).size;
    while (next < rest.size() && next < kLineAhead && (rest[next] == ' ' || rest[next] == '\t')) {
        ++next;
    }
    if (next >= rest.size() && !finished) {
        return Scan::kMore;
    }
    const bool ends = depth_ == 1 && (next >= rest.size() || rest[next] == '\n' ||
                                      rest[next] == '\r' || rest[next] == '/');
    return ends ? Scan::kDone : Scan::kNo;
}

bool CallScan::take_mark(const Glyph& glyph, std::size_t at) {
    switch (glyph.ascii) {
        case '(':
        case '[':
        case '{':
            ++depth_;
            token_ = true;
            return true;
        case ')':
        case ']':
        case '}':
            --depth_;
            token_ = false;
            if (depth_ == 0) {
                wide_marks_ = wide_marks_ || glyph.wide;
                end_argument(at);
                closed_ = true;
            }
            return true;
        case ',':
            token_ = true;
            if (depth_ == 1) {
                wide_marks_ = wide_marks_ || glyph.wide;
                end_argument(at);
                argument_begin_ = at + glyph.size;
            }
            return true;
        case ':':
            token_ = true;
            return true;
        default:
            return false;
    }
}

CallScan::Step CallScan::code(const Window& window, bool finished) {
    const std::string_view text = ahead(window);
    std::size_t i = 0;
    const auto stop = [&](Step step) {
        at_ += i;
        return step;
    };
    // The call ends here without its bracket, or more text is needed to decide.
    const auto break_off = [&](Scan end) {
        if (end == Scan::kDone) {
            end_argument(at_ + i);
        }
        return stop(end);
    };
    while (i < text.size()) {
        const char c = text[i];
        if (static_cast<unsigned char>(c) >= 0x80 && !finished && text.size() - i < kAhead) {
            return stop(Scan::kMore);
        }
        if (c == '\n') {
            if (const Scan end = line_end(text.substr(i + 1), finished); end != Scan::kNo) {
                return break_off(end);
            }
            ++i;
            continue;
        }
        if (c == '\\' && token_) {
            // _.set(\"a.b\", 7): the whole call was escaped.
            if (i + 1 >= text.size() && !finished) {
                return stop(Scan::kMore);
            }
            if (i + 1 < text.size() && is_quote(text[i + 1])) {
                string_.open(glyph_at(text, i + 1), true);
                string_begin_ = at_ + i;
                wide_marks_ = true;
                i += 2;
                state_ = State::kString;
                return stop({});
            }
        }
        if (c == '/' && token_) {
            if (i + 1 >= text.size() && !finished) {
                return stop(Scan::kMore);
            }
            if (text.substr(i).starts_with("//")) {
                state_ = State::kComment;
                return stop({});
            }
        }
        const Glyph glyph = glyph_at(text, i);
        if (glyph.ascii == ';') {
            if (const Scan end = forgotten_bracket(text.substr(i), finished); end != Scan::kNo) {
                return break_off(end);
            }
        } else if (token_ && is_quote(glyph.ascii)) {
            string_.open(glyph);
            string_begin_ = at_ + i;
            wide_marks_ = wide_marks_ || glyph.wide;
            i += glyph.size;
            state_ = State::kString;
            return stop({});
        } else if (!take_mark(glyph, at_ + i) && blank_at(text, i) == 0) {
            // A quote also opens a string behind an operator: 'a' + 'b'.
            token_ = c == '+' || c == '-' || c == '*' || c == '?';
        }
        i += glyph.size;
        if (closed_) {
            return stop(Scan::kDone);
        }
    }
    return stop(Scan::kMore);
}

// A comment before an argument is not part of it.
CallScan::Step CallScan::comment(const Window& window) {
    const std::string_view text = ahead(window);
    const std::size_t end = text.find('\n');
    at_ += std::min(end, text.size());
    if (end == std::string_view::npos) {
        return Scan::kMore;
    }
    argument_begin_ = at_;
    state_ = State::kCode;
    return {};
}

// `rest` begins with a command, inside a string. kNo: the string is closed on a later line, before
// which `skip` bytes belong to it. kDone: it is never closed.
Scan CallScan::find_string_end(std::string_view rest, bool finished, std::size_t& skip) {
    if (*lookahead_ < kStringAhead) {
        return Scan::kDone;
    }
    rest = rest.substr(0, kStringAhead);
    const bool limited = rest.size() == kStringAhead;
    std::size_t line = 0;
    while (line < rest.size()) {
        const std::size_t end = rest.find('\n', line);
        if (end == std::string_view::npos && (limited || !finished)) {
            break;
        }
        const std::string_view text = rest.substr(line, std::min(end, rest.size()) - line);
        if (text.starts_with("```") || text.starts_with("</")) {
            *lookahead_ -= line;
            return Scan::kDone;
        }
        // A line that is a command of its own opens and closes its own quotes.
        if (find_command(text, true) != Scan::kDone && closes_string_in(text)) {
            skip = line;
            *lookahead_ -= line;
            return Scan::kNo;
        }
        line += text.size() + 1;
    }
    if (!limited && !finished) {
        return Scan::kMore;
    }
    *lookahead_ -= rest.size();
    return Scan::kDone;
}

// Whether a line inside the string has the quote that closes it and the end of the call behind it.
bool CallScan::closes_string_in(std::string_view line) const {
    const std::size_t quote = line.rfind(string_.quote());
    if (quote == std::string_view::npos) {
        return false;
    }
    std::size_t next = quote + 1;
    while (next < line.size() && is_blank(line[next])) {
        ++next;
    }
    const char mark = next < line.size() ? glyph_at(line, next).ascii : '\0';
    return mark == ')' || mark == ',' || mark == '}' || mark == ']';
}

// The call is cut off at `at_`. A string that is never closed ends before the prose in it.
void CallScan::cut_off(const Window& window) {
    if (state_ == State::kString) {
        at_ = string_begin_ + unclosed_end(window.view(string_begin_, at_));
    }
    end_argument(at_);
}

// `rest` begins behind a quote at the end of a line. kDone: a blank line and prose follow, and
// the next quote is not of this string: the quote closes it, and the bracket was forgotten.
Scan CallScan::ends_before_prose(std::string_view rest, bool finished) {
    if (*lookahead_ < kStringAhead) {
        return Scan::kNo;
    }
    const std::size_t line = rest.find('\n') + 1;
    if (const Scan prose = find_prose(rest.substr(line), finished); prose != Scan::kDone) {
        return prose;
    }
    const bool limited = rest.size() - line >= kStringAhead;
    const std::string_view ahead = rest.substr(line, kStringAhead);
    std::size_t quote = ahead.find(string_.quote());
    while (quote != std::string_view::npos && quote > 0 && quote + 1 < ahead.size() &&
           is_letter(ahead[quote - 1]) && is_letter(ahead[quote + 1])) {
        quote = ahead.find(string_.quote(), quote + 1);  // don't
    }
    if (quote == std::string_view::npos && !limited && !finished) {
        return Scan::kMore;
    }
    *lookahead_ -= std::min(ahead.size(), quote);
    if (quote == std::string_view::npos) {
        return Scan::kDone;
    }
    const std::string_view before = ahead.substr(0, quote);
    return before.ends_with('(') && call_head(before.substr(0, before.size() - 1)) ? Scan::kDone
                                                                                   : Scan::kNo;
}

CallScan::Step CallScan::string(const Window& window, bool finished) {
    // A command at the beginning of a line ends a string that is never closed. Otherwise it is
    // part of the string.
    const auto line_ends = [&](std::string_view rest, std::size_t& skip) {
        const Scan command = find_command(rest, finished);
        return command == Scan::kDone && !string_.is_wide() ? find_string_end(rest, finished, skip)
                                                            : command;
    };
    const auto closes = [&](std::string_view text, std::size_t next) {
        const char c = next < text.size() ? text[next] : '\0';
        const bool is_operator = c == '+' || c == '*' || c == '?';
        if (is_operator || closes_string(text, next, string_.has_newline())) {
            return Scan::kDone;
        }
        const std::size_t behind = string_.quote_at() + 1;
        return string_.has_newline() && !string_.is_wide()
                   ? ends_before_prose(window.view(behind, at_ + text.size()), finished)
                   : Scan::kNo;
    };
    const Scan scan = string_.advance(window, ahead(window), at_, finished, line_ends, closes);
    if (scan == Scan::kMore) {
        return Scan::kMore;
    }
    if (scan == Scan::kNo) {
        // The quote was never closed: the call ends with its line.
        cut_off(window);
        return Scan::kDone;
    }
    token_ = false;
    state_ = State::kCode;
    return {};
}

std::optional<CallHead> call_head(std::string_view before) noexcept {
    // One space before the bracket is tolerated.
    if (before.ends_with(' ')) {
        before.remove_suffix(1);
    }
    std::size_t begin = before.size();
    while (begin > 0 && before.size() - begin < kLineAhead &&
           (is_letter(before[begin - 1]) || before[begin - 1] == '_')) {
        --begin;
    }
    const std::string_view word = before.substr(begin);
    if (word.empty()) {
        return std::nullopt;
    }
    if (begin >= 2 && before[begin - 1] == '.' && before[begin - 2] == '_') {
        return CallHead{proposal::Dialect::kMvu, begin - 2, word};
    }
    for (const std::string_view name : kMemoryCalls) {
        if (word != name) {
            continue;
        }
        const std::string_view prefix = before.substr(0, begin);
        for (const std::string_view each : kPrefixes) {
            const std::size_t before_prefix = begin - std::min(begin, each.size());
            if (prefix.ends_with(each) &&
                (before_prefix == 0 || each[0] == '*' || !is_word(before[before_prefix - 1]))) {
                return CallHead{proposal::Dialect::kMemory, begin - each.size(), word};
            }
        }
        if (begin == 0 || !is_word(before[begin - 1])) {
            return CallHead{proposal::Dialect::kMemory, begin, word};
        }
    }
    return std::nullopt;
}

std::size_t call_beginning(std::string_view text) noexcept {
    const std::size_t space = text.ends_with(' ') ? 1 : 0;
    if (text.size() == space || !kNameBytes.has(text[text.size() - space - 1])) {
        return 0;
    }
    const NameRun run = name_run_at_end(text.substr(0, text.size() - space));
    std::string_view word = text.substr(text.size() - space - run.size, run.size);
    if (const std::size_t dash = run.has_marks ? word.rfind("_.") : std::string_view::npos;
        dash != std::string_view::npos) {
        return word.size() - dash + space;
    }
    // A name may begin at the beginning of the run, and at each star in it.
    while (true) {
        if (is_name_beginning(word, space == 1)) {
            return word.size() + space;
        }
        const std::size_t star =
            run.has_marks ? word.find('*', word.starts_with("*") ? 1 : 0) : std::string_view::npos;
        if (word.starts_with("*") && is_name_beginning(word.substr(1), space == 1)) {
            return word.size() - 1 + space;
        }
        if (star == std::string_view::npos) {
            break;
        }
        word.remove_prefix(star);
    }
    return space == 0 && text.ends_with('_') ? 1 : 0;
}

namespace {

// Trims the comment // from `at` to `end` to the reason.
std::string_view reason_of(std::string_view text, std::size_t at, std::size_t end) {
    std::string_view reason = text.substr(at + 2, end - at - 2);
    while (!reason.empty() && is_blank(reason.front())) {
        reason.remove_prefix(1);
    }
    while (!reason.empty() && is_blank(reason.back())) {
        reason.remove_suffix(1);
    }
    return reason;
}

// The end of the comment that begins at `at`: the end of its line, a closing tag, or the limit.
// Empty while more text is needed.
std::optional<std::size_t> comment_end(std::string_view text, std::size_t at, bool finished) {
    std::size_t end = at;
    while (end < text.size() && text[end] != '\n' && end - at < kCommentMax) {
        if (text[end] == '<') {
            if (end + 1 >= text.size() && !finished) {
                return std::nullopt;
            }
            if (end + 1 < text.size() && text[end + 1] == '/') {
                break;
            }
        }
        ++end;
    }
    if (end == text.size() && !finished && end - at < kCommentMax) {
        return std::nullopt;
    }
    // Not inside a character.
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
        --end;
    }
    return end;
}

}  // namespace

std::optional<CallTail> call_tail(std::string_view text, bool finished, std::size_t& blanks) {
    CallTail tail;
    // Blanks, then the semicolon, which may even be on the next line.
    std::size_t at = blanks;
    bool newline = text.substr(0, blanks).find('\n') != std::string_view::npos;
    while (at < text.size() && at < kCommentMax) {
        if (!finished && static_cast<unsigned char>(text[at]) >= 0x80 && text.size() - at < 3) {
            return std::nullopt;
        }
        if (const std::size_t blank = blank_at(text, at); blank > 0) {
            newline = newline || text[at] == '\n';
            at += blank;
            continue;
        }
        if (glyph_at(text, at).ascii == ';') {
            tail.semicolon = true;
            at += glyph_at(text, at).size;
            tail.end = at;
            newline = false;
            continue;
        }
        break;
    }
    if (!tail.semicolon && at < kCommentMax) {
        blanks = at;
    }
    if (at >= kCommentMax) {
        tail.alone = newline;  // text behind so many blanks does not belong to the call
        return tail;
    }
    const std::string_view rest = text.substr(at);
    if (!finished && (rest.empty() || rest == "/")) {
        return std::nullopt;
    }
    tail.alone = rest.empty() || newline;
    if (!tail.semicolon && !tail.alone) {
        const Scan command = find_command(rest, finished);
        if (command == Scan::kMore) {
            return std::nullopt;
        }
        tail.alone = command == Scan::kDone;
    }
    // The reason is a comment behind the call; without a semicolon only on the same line.
    if (rest.starts_with("//") && (tail.semicolon || !newline)) {
        const auto end = comment_end(text, at, finished);
        if (!end) {
            return std::nullopt;
        }
        tail.reason = reason_of(text, at, *end);
        tail.below = newline;
        tail.alone = true;
        tail.end = *end;
    }
    return tail;
}

}  // namespace arbiter::reader::internal
