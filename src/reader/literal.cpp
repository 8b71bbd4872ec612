#include "reader/literal.h"

#include <algorithm>
#include <list>
#include <vector>

#include "base/limits.h"
#include "reader/blanks.h"
#include "reader/internal/bare_word.h"
#include "reader/internal/byte_search.h"
#include "reader/internal/byte_set.h"
#include "reader/internal/glyph.h"
#include "text/ascii.h"
#include "text/utf8.h"
#include "value/builder.h"

namespace arbiter::reader {
namespace {

using internal::Glyph;
using internal::glyph_at;
using internal::is_digit;
using internal::is_letter;
using internal::is_quote;
using internal::parse_bare_word;
using value::Value;

// Bytes that are often found where a gap may be: a fast check.
constexpr internal::ByteSet kNoGap(",:{}[]\"'-0123456789");

class Parser {
  public:
    Parser(std::string_view text, std::size_t at, BareWords bare)
        : text_(text), at_(at), bare_(bare) {}

    std::expected<Literal, LiteralError> run() {
        Literal literal;
        if (!skip_gap() || !value(0)) {
            return std::unexpected(LiteralError{kind_, error_at_, cause_});
        }
        literal.value = builder_.take();
        literal.end = at_;
        literal.repairs = repairs_;
        literal.closed = !cut_;
        literal.inside_token = inside_token_;
        std::ranges::reverse(open_);
        literal.open = std::move(open_);
        literal.items = std::move(items_);
        return literal;
    }

  private:
    bool fail(LiteralError::Kind kind = LiteralError::Kind::kSyntax) {
        kind_ = kind;
        error_at_ = std::min(at_, text_.size());
        return false;
    }
    bool fail(std::string_view cause) {
        cause_ = cause;
        return fail();
    }
    [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }

    // Skips blanks and comments. False only for a comment that never ends.
    bool skip_gap() {
        newline_ = false;
        // Fast path: no gap.
        return (!at_end() && kNoGap.has(text_[at_])) || skip_blanks_and_comments();
    }
    bool skip_blanks_and_comments() {
        while (!at_end()) {
            const char c = text_[at_];
            if (c == ' ' || c == '\t' || c == '\r') {
                ++at_;
            } else if (c == '\n') {
                newline_ = true;
                ++at_;
            } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
                repairs_.add(Repair::kComment);
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '*') {
                if (!skip_comment("*/", 2)) {
                    return false;
                }
            } else if (c == '<' && text_.substr(at_).starts_with("<!--")) {
                if (!skip_comment("-->", 4)) {
                    return false;
                }
            } else if (const std::size_t blank = internal::blank_at(text_, at_); blank > 0) {
                at_ += blank;
            } else {
                break;
            }
        }
        return true;
    }
    bool skip_comment(std::string_view closer, std::size_t opener) {
        repairs_.add(Repair::kComment);
        const std::size_t end = text_.find(closer, at_ + opener);
        if (end == std::string_view::npos) {
            return fail("unclosed_comment");
        }
        at_ = end + closer.size();
        return true;
    }

    Glyph glyph() const { return at_end() ? Glyph{0, 0, false} : glyph_at(text_, at_); }
    void take(const Glyph& taken) {
        at_ += taken.size;
        if (taken.wide) {
            repairs_.add(Repair::kFullWidth);
        }
    }

    // Pushes one value.
    bool value(std::size_t depth) {
        if (at_end()) {
            builder_.push(Value());
            return depth > 0 ? cut_off() : fail();
        }
        const Glyph first = glyph();
        if (first.ascii == '{' || first.ascii == '[') {
            if (depth >= base::kLiteralDepthMax) {
                return fail(LiteralError::Kind::kTooDeep);
            }
            if (depth == 0) {
                builder_.reserve(kMembersUsual);
            }
            take(first);
            return first.ascii == '{' ? object(depth + 1) : array(depth + 1);
        }
        if (is_quote(first.ascii)) {
            std::string_view plain;
            if (!string(plain, depth > 0)) {
                return false;
            }
            builder_.push(Value(plain));
            return true;
        }
        return bare();
    }

    // The text ended inside an open container, in the middle of a member.
    bool cut_off() {
        repairs_.add(Repair::kMissingCloser);
        cut_ = true;
        inside_token_ = true;
        return true;
    }

    // After a member: at a comma (taken), at the closer (left), or where a comma is missing.
    bool separator(char closer) {
        if (!skip_gap()) {
            return false;
        }
        comma_ = false;
        const Glyph next = glyph();
        if (next.ascii == ',') {
            take(next);
            comma_ = true;
            return skip_gap();
        }
        if (at_end() || next.ascii == '}' || next.ascii == ']') {
            return true;
        }
        if (is_quote(next.ascii) || next.ascii == '{' || next.ascii == '[' ||
            (newline_ && closer == '}')) {
            repairs_.add(Repair::kMissingComma);
            return true;
        }
        return fail();
    }

    // At a closing bracket of any kind, or at the end of the text: true when the container ends.
    bool closed(char closer) {
        if (at_end()) {
            repairs_.add(Repair::kMissingCloser);
            cut_ = true;
            return true;
        }
        const Glyph next = glyph();
        if (next.ascii == closer) {
            take(next);
            if (comma_) {
                repairs_.add(Repair::kTrailingComma);
            }
            comma_ = false;
            return true;
        }
        return false;
    }

    bool array(std::size_t depth) {
        std::size_t count = 0;
        comma_ = false;
        if (!skip_gap()) {
            return false;
        }
        while (!closed(']')) {
            // A list that is closed by the bracket of the object around it lacks its own.
            if (glyph().ascii == '}' && depth > 1) {
                repairs_.add(Repair::kMissingCloser);
                break;
            }
            const std::size_t begin = at_;
            if (!value(depth)) {
                return false;
            }
            ++count;
            if (depth == 1) {
                items_.push_back({begin, at_});
            }
            if (cut_) {
                open_.emplace_back(static_cast<std::int64_t>(count - 1));
                break;
            }
            if (!separator(']')) {
                return false;
            }
        }
        builder_.close_array(count);
        return true;
    }

    bool object(std::size_t depth) {
        std::size_t count = 0;
        comma_ = false;
        if (!skip_gap()) {
            return false;
        }
        while (!closed('}')) {
            if (glyph().ascii == ']' && depth > 1) {
                repairs_.add(Repair::kMissingCloser);
                break;
            }
            std::string_view name;
            if (!key(name)) {
                return false;
            }
            if (cut_) {
                break;
            }
            builder_.push_key(name);
            if (!value(depth)) {
                return false;
            }
            ++count;
            if (cut_) {
                open_.emplace_back(name);
                break;
            }
            if (!separator('}')) {
                return false;
            }
        }
        // Of two members with the same name the last value counts, at the position of the first.
        static_cast<void>(builder_.close_object(count));
        return true;
    }

    // `out` stays valid until the object is closed.
    bool key(std::string_view& out) {
        const Glyph first = glyph();
        if (is_quote(first.ascii)) {
            if (!string(out, true)) {
                return false;
            }
            if (cut_) {
                return true;
            }
            if (out.data() == scratch_.data()) {
                out = decoded_keys_.emplace_back(out);
            }
        } else {
            const std::size_t begin = at_;
            while (skip_plain()) {
                const Glyph next = glyph();
                if (next.ascii == ':' || next.ascii == '\n' || next.ascii == ',' ||
                    next.ascii == '{' || next.ascii == '}' || next.ascii == '[' ||
                    next.ascii == ']' || next.ascii == '"') {
                    break;
                }
                at_ += next.size;
            }
            const std::string_view word = trim(text_.substr(begin, at_ - begin));
            if (word.empty()) {
                return fail();
            }
            repairs_.add(Repair::kBareKey);
            out = word;
        }
        if (out.size() > base::kKeyBytesMax) {
            return fail();
        }
        if (!skip_gap()) {
            return false;
        }
        if (at_end()) {
            return cut_off();
        }
        const Glyph colon = glyph();
        if (colon.ascii != ':') {
            return fail("missing_colon");
        }
        take(colon);
        return skip_gap();
    }

    // A quoted string; `out` is in the text or in scratch_.
    bool string(std::string_view& out, bool inside) {
        const std::size_t opened_at = at_;
        const Glyph quote = glyph();
        if (quote.wide) {
            repairs_.add(Repair::kFullWidth);
        } else if (quote.ascii != '"') {
            repairs_.add(Repair::kQuotes);
        }
        at_ += quote.size;
        const std::size_t begin = at_;
        bool copied = false;
        std::size_t run = begin;  // begin of the text that is not in scratch_ yet
        const auto copy_run = [&] {
            if (!copied) {
                scratch_.clear();
                copied = true;
            }
            scratch_.append(text_, run, at_ - run);
        };
        while (!at_end()) {
            // A string that did not begin with a wide quote has no other special bytes.
            at_ = quote.wide ? at_ : internal::find_string_mark(text_, at_, quote.ascii);
            if (at_end()) {
                break;
            }
            const char c = text_[at_];
            if (c == '\\') {
                copy_run();
                escape();
                run = at_;
                continue;
            }
            if (c == '\n') {
                if (quote.ascii != '`') {
                    repairs_.add(Repair::kRawNewline);
                }
                ++at_;
                continue;
            }
            if (static_cast<unsigned char>(c) < 0x80 && !is_quote(c)) {
                ++at_;
                continue;
            }
            const Glyph here = glyph_at(text_, at_);
            if (here.ascii != quote.ascii || (here.wide && !quote.wide)) {
                at_ += here.ascii == 0 ? 1 : here.size;
                continue;
            }
            const std::size_t end = at_;
            at_ += here.size;
            if (closes_here()) {
                if (copied) {
                    scratch_.append(text_, run, end - run);
                    out = scratch_;
                } else {
                    out = text_.substr(begin, end - begin);
                }
                return true;
            }
            repairs_.add(Repair::kInnerQuote);
            // Two adjacent quotes are one.
            if (!here.wide && !at_end() && text_[at_] == here.ascii && !closes_behind(at_ + 1)) {
                copy_run();
                ++at_;
                run = at_;
            }
        }
        if (inside) {
            out = {};
            return cut_off();
        }
        at_ = opened_at;
        return fail("unclosed_quote");
    }

    // Whether the quote before at_ closes its string.
    [[nodiscard]] bool closes_here() const { return closes_behind(at_); }
    [[nodiscard]] bool closes_behind(std::size_t next) const {
        bool newline = false;
        while (next < text_.size()) {
            const std::size_t blank = internal::blank_at(text_, next);
            if (blank == 0) {
                break;
            }
            newline = newline || text_[next] == '\n';
            next += blank;
        }
        return internal::closes_string(text_, next, newline);
    }

    // At a backslash: appends the character of the escape sequence.
    void escape() {
        ++at_;
        if (at_end()) {
            scratch_ += '\\';
            return;
        }
        const char c = text_[at_++];
        constexpr std::string_view kLetters = "ntrbf";
        if (const std::size_t letter = kLetters.find(c); letter != std::string_view::npos) {
            scratch_ += "\n\t\r\b\f"[letter];
            return;
        }
        switch (c) {
            case '"':
            case '\\':
            case '/':
                scratch_ += c;
                return;
            case '\'':
            case '`':
                repairs_.add(Repair::kEscape);
                scratch_ += c;
                return;
            case 'u':
                unicode_escape();
                return;
            default:
                repairs_.add(Repair::kEscape);
                scratch_ += '\\';
                --at_;
                return;
        }
    }
    std::optional<char32_t> hex4() {
        if (at_ + 4 > text_.size()) {
            return std::nullopt;
        }
        char32_t unit = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            const int digit = text::hex_digit(text_[at_ + i]);
            if (digit < 0) {
                return std::nullopt;
            }
            unit = unit * 16 + static_cast<unsigned>(digit);
        }
        at_ += 4;
        return unit;
    }
    void unicode_escape() {
        const auto unit = hex4();
        if (!unit) {
            repairs_.add(Repair::kEscape);
            scratch_ += "\\u";
            return;
        }
        char32_t code_point = *unit;
        if (code_point >= 0xD800 && code_point < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
            const std::size_t before = at_;
            at_ += 2;
            const auto low = hex4();
            if (low && *low >= 0xDC00 && *low < 0xE000) {
                code_point = 0x10000 + ((code_point - 0xD800) << 10) + (*low - 0xDC00);
            } else {
                at_ = before;
            }
        }
        text::append(scratch_, code_point);
    }

    // Skips bytes that are part of every word: letters, digits and other non-punctuation. False at
    // the end of the text.
    bool skip_plain() {
        while (!at_end()) {
            const char c = text_[at_];
            const bool wide = static_cast<unsigned char>(c) >= 0x80 && c != '\xE2' && c != '\xEF';
            if (!wide && !is_letter(c) && !is_digit(c) && c != '-' && c != '.') {
                return true;
            }
            ++at_;
        }
        return false;
    }

    bool is_word_byte(char c) const {
        return is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80 || c == '_' ||
               c == '-' || c == '.' || c == '+' || c == '*' || c == '/' || c == '(' || c == ')' ||
               c == '%' || c == '^' || c == ' ' || c == '\t' || c == '?' || c == '!' || c == '<' ||
               c == '>';
    }

    // A word, number or piece of arithmetic without quotes, up to a comma or bracket.
    bool bare() {
        const std::size_t begin = at_;
        if (number()) {
            return true;
        }
        std::size_t parens = 0;
        while (skip_plain()) {
            const Glyph next = glyph();
            if (next.ascii == '(') {
                ++parens;
            } else if (next.ascii == ')' && parens > 0) {
                --parens;
            } else if (next.ascii == '[' && bare_ != BareWords::kNames && at_ > begin &&
                       internal::subscript_size(text_, at_) > 0) {
                at_ += internal::subscript_size(text_, at_);
                continue;
            } else if (next.ascii == '\n' || next.ascii == '\r' || next.ascii == '{' ||
                       next.ascii == '}' || next.ascii == '[' || next.ascii == ']' ||
                       (next.ascii == ',' && parens == 0 &&
                        (!next.wide || bare_ != BareWords::kAny))) {
                break;
            } else if (next.ascii == '/' && at_ > begin && internal::is_blank(text_[at_ - 1]) &&
                       (text_.substr(at_).starts_with("//") ||
                        text_.substr(at_).starts_with("/*"))) {
                break;
            } else if (next.ascii == '<' && text_.substr(at_).starts_with("<!--")) {
                break;
            } else if (bare_ == BareWords::kNames && next.ascii != 0 && !next.wide &&
                       !is_word_byte(next.ascii) && parens == 0) {
                // A colon in a time such as 08:00 is part of the word; anything else is not.
                const bool in_time = next.ascii == ':' && at_ > begin && is_digit(text_[at_ - 1]) &&
                                     at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
                if (!in_time) {
                    return fail();
                }
            } else if (bare_ == BareWords::kNames && (next.ascii == ':' || next.ascii == ';') &&
                       next.wide) {
                return fail();
            }
            at_ += next.size;
        }
        const std::string_view word = trim(text_.substr(begin, at_ - begin));
        if (word.empty()) {
            return fail("missing_value");
        }
        if (bare_ == BareWords::kNames && internal::is_unstorable_number(word)) {
            return fail("bad_number");
        }
        if (auto plain = parse_bare_word(word, repairs_)) {
            builder_.push(std::move(*plain));
            return true;
        }
        if (word.size() > base::kStringBytesMax) {
            return fail();
        }
        if (bare_ == BareWords::kNames) {
            repairs_.add(Repair::kBareWord);
        }
        builder_.push(Value(word));
        return true;
    }

    // Fast path: a short integer directly before a comma or bracket.
    bool number() {
        std::size_t end = at_;
        while (end < text_.size() && (is_digit(text_[end]) || (text_[end] == '-' && end == at_))) {
            ++end;
        }
        if (end == text_.size() || (text_[end] != ',' && text_[end] != '}' && text_[end] != ']')) {
            return false;
        }
        const auto found = internal::parse_short_integer(text_.substr(at_, end - at_));
        if (!found) {
            return false;
        }
        builder_.push(Value(*found));
        at_ = end;
        return true;
    }

    // Initial capacity: the open members and elements of a small literal.
    static constexpr std::size_t kMembersUsual = 16;

    std::string_view text_;
    std::size_t at_;
    BareWords bare_;
    bool newline_ = false;       // a line break lay in the last gap
    bool comma_ = false;         // the last separator was a comma
    bool cut_ = false;           // the text ended inside a container
    bool inside_token_ = false;  // the text ended in the middle of a member
    Repairs repairs_;
    value::Builder builder_;
    std::string scratch_;
    std::list<std::string> decoded_keys_;  // live until their object is closed
    std::vector<Literal::Item> items_;
    value::Path open_;  // while it is collected: innermost first
    LiteralError::Kind kind_ = LiteralError::Kind::kSyntax;
    std::size_t error_at_ = 0;
    std::string_view cause_ = "unexpected";
};

}  // namespace

std::expected<Literal, LiteralError> parse_literal(std::string_view text, std::size_t at,
                                                   BareWords bare) {
    return Parser(text, at, bare).run();
}

}  // namespace arbiter::reader
