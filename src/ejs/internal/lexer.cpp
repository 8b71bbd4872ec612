#include "ejs/internal/lexer.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/limits.h"
#include "ejs/internal/numerals.h"
#include "text/truncate.h"
#include "text/utf8.h"

namespace arbiter::ejs::internal {
namespace {

using Kind = Token::Kind;

// Longest first.
constexpr auto kMarks = std::to_array<std::string_view>(
    {">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "?\?=", "=>",
     "==",   "!=",  "<=",  ">=",  "&&",  "||",  "??",  "?.",  "++",  "--",  "+=",   "-=",
     "*=",   "/=",  "%=",  "&=",  "|=",  "^=",  "**",  "<<",  ">>",  "{",   "}",    "(",
     ")",    "[",   "]",   ";",   ",",   "<",   ">",   "+",   "-",   "*",   "/",    "%",
     "&",    "|",   "^",   "!",   "~",   "?",   ":",   "=",   "."});

// Words behind which a / begins a pattern.
constexpr auto kOperatorWords =
    std::to_array<std::string_view>({"return", "typeof", "case", "in", "of", "delete", "void",
                                     "throw", "new", "else", "do", "await"});

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}
bool begins_name(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
}
bool is_name(char c) noexcept {
    return begins_name(c) || is_digit(c);
}

class Lexer {
  public:
    Lexer(std::span<const Piece> pieces, std::forward_list<std::string>& owned)
        : pieces_(pieces), owned_(owned) {}

    std::expected<std::vector<Token>, Failure> run() {
        std::size_t bytes = 0;
        for (const Piece& piece : pieces_) {
            line_ = static_cast<std::uint32_t>(piece.line);
            if (piece.kind == Piece::Kind::kText) {
                add(Kind::kPlain, piece.text);
                continue;
            }
            bytes += piece.text.size();
            if (bytes > base::kTemplateCodeBytesMax) {
                fail(Fault::kBytes, std::to_string(base::kTemplateCodeBytesMax));
                break;
            }
            const bool is_output = piece.kind == Piece::Kind::kOutput;
            if (is_output) {
                add(Kind::kOutputBegin, "<%=");
            }
            text_ = piece.text;
            at_ = 0;
            after_line_ = true;
            while (!failure_ && read_token()) {
            }
            if (!templates_.empty() && !failure_) {
                fail(Fault::kUnclosed, "`");
            }
            if (is_output) {
                add(Kind::kOutputEnd, "%>");
            }
            if (failure_) {
                break;
            }
        }
        if (!failure_ && !open_.empty()) {
            line_ = tokens_[open_.back()].line;
            fail(Fault::kUnclosed, std::string(tokens_[open_.back()].text));
        }
        if (failure_) {
            return std::unexpected(std::move(*failure_));
        }
        add(Kind::kEnd, "");
        return std::move(tokens_);
    }

  private:
    void fail(Fault fault, std::string word) {
        failure_ = Failure{fault, line_, {std::move(word)}};
    }
    Token& add(Kind kind, std::string_view text) {
        Token token{kind, after_line_, line_};
        token.text = text;
        after_line_ = kind == Kind::kPlain;
        return tokens_.emplace_back(token);
    }
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
    [[nodiscard]] std::string some(std::size_t from) const {
        const std::string_view line = text_.substr(from, text_.find('\n', from) - from);
        return std::string(text::truncate(line, 24));
    }

    // Blanks, line ends and comments.
    void skip() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\n') {
                ++line_;
                after_line_ = true;
                ++at_;
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
                ++at_;
            } else if (rest().starts_with("//")) {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (rest().starts_with("/*")) {
                const std::size_t end = text_.find("*/", at_ + 2);
                if (end == std::string_view::npos) {
                    fail(Fault::kUnclosed, "/*");
                    return;
                }
                const auto lines = std::ranges::count(text_.substr(at_, end - at_), '\n');
                line_ += static_cast<std::uint32_t>(lines);
                after_line_ |= lines > 0;
                at_ = end + 2;
            } else if (const std::size_t size = wide_blank(); size > 0) {
                at_ += size;
            } else {
                return;
            }
        }
    }
    // A blank beyond ASCII: no-break space, ideographic space, byte order mark.
    [[nodiscard]] std::size_t wide_blank() const {
        for (const std::string_view blank : {"\xC2\xA0", "\xE3\x80\x80", "\xEF\xBB\xBF"}) {
            if (rest().starts_with(blank)) {
                return blank.size();
            }
        }
        return 0;
    }

    bool read_token() {
        skip();
        if (failure_ || at_ >= text_.size()) {
            return false;
        }
        const char c = peek();
        if (begins_name(c)) {
            const std::size_t from = at_;
            while (at_ < text_.size() && is_name(text_[at_]) && wide_blank() == 0) {
                ++at_;
            }
            add(Kind::kName, text_.substr(from, at_ - from));
        } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
            read_number();
        } else if (c == '"' || c == '\'') {
            read_string(c);
        } else if (c == '`') {
            ++at_;
            templates_.push_back(open_.size());
            read_template("`");
        } else if (c == '/' && expects_value()) {
            read_pattern();
        } else {
            read_mark();
        }
        return true;
    }

    [[nodiscard]] bool expects_value() const {
        if (tokens_.empty()) {
            return true;
        }
        const Token& last = tokens_.back();
        switch (last.kind) {
            case Kind::kName:
                return std::ranges::find(kOperatorWords, last.text) != kOperatorWords.end();
            case Kind::kNumber:
            case Kind::kText:
            case Kind::kTemplateEnd:
            case Kind::kRegex:
                return false;
            case Kind::kMark:
                return last.text != ")" && last.text != "]" && last.text != "}";
            case Kind::kPlain:
            case Kind::kOutputBegin:
            case Kind::kOutputEnd:
            case Kind::kTemplate:
            case Kind::kEnd:
                return true;
        }
        return true;
    }

    void read_number() {
        const std::size_t from = at_;
        const bool is_hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
        bool has_dot = false;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            const bool is_sign = (c == '+' || c == '-') && !is_hex && at_ > from &&
                                 (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E');
            const bool is_point = c == '.' && !has_dot;  // a second dot is a member's
            const bool is_digit_or_letter = is_name(c) && static_cast<unsigned char>(c) < 0x80;
            if (!is_sign && !is_point && !is_digit_or_letter) {
                break;
            }
            has_dot |= is_point;
            ++at_;
        }
        std::string written(text_.substr(from, at_ - from));
        std::erase(written, '_');
        const std::optional<double> number = read_numeral(written);
        if (!number) {
            fail(Fault::kSyntax, some(from));
            return;
        }
        add(Kind::kNumber, text_.substr(from, at_ - from)).number = *number;
    }

    // Appends what the escape at `at_` (behind the backslash) means.
    void read_escape(std::string& out) {
        const char c = peek();
        ++at_;
        switch (c) {
            case 'n':
                out += '\n';
                return;
            case 't':
                out += '\t';
                return;
            case 'r':
                out += '\r';
                return;
            case 'b':
                out += '\b';
                return;
            case 'f':
                out += '\f';
                return;
            case 'v':
                out += '\v';
                return;
            case '0':
                out += '\0';
                return;
            case '\r':
                at_ += peek() == '\n' ? 1 : 0;
                [[fallthrough]];
            case '\n':
                ++line_;
                return;
            case 'x':
                text::append(out, read_hex(2));
                return;
            case 'u':
                read_unicode(out);
                return;
            default:
                out += c;
        }
    }
    char32_t read_hex(std::size_t digits) {
        char32_t code = 0;
        for (std::size_t i = 0; i < digits && hex_digit(peek()) >= 0; ++i, ++at_) {
            code = code * 16 + static_cast<char32_t>(hex_digit(peek()));
        }
        return code;
    }
    void read_unicode(std::string& out) {
        if (peek() == '{') {
            ++at_;
            text::append(out, read_hex(6));
            at_ += peek() == '}' ? 1 : 0;
            return;
        }
        char32_t code = read_hex(4);
        if (code >= 0xD800 && code < 0xDC00 && peek() == '\\' && peek(1) == 'u') {
            at_ += 2;
            const char32_t low = read_hex(4);
            code = low >= 0xDC00 && low < 0xE000
                       ? 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00)
                       : text::kReplacement;
        }
        text::append(out, code);
    }

    void read_string(char quote) {
        const std::size_t from = at_++;
        const std::size_t begin = at_;
        const std::array<char, 4> stops{quote, '\\', '\n', '\0'};
        std::size_t stop = text_.find_first_of(stops.data(), at_);
        if (stop != std::string_view::npos && text_[stop] == quote) {
            at_ = stop + 1;
            add(Kind::kText, text_.substr(begin, stop - begin));
            return;
        }
        std::string out;
        while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
            const char c = text_[at_++];
            if (c == '\\') {
                read_escape(out);
            } else {
                out += c;
            }
        }
        if (at_ >= text_.size() || text_[at_] != quote) {
            fail(Fault::kUnclosed, some(from));
            return;
        }
        ++at_;
        add(Kind::kText, owned_.emplace_front(std::move(out)));
    }

    // A part of a `…` literal up to ${ or its end; `open` is the quote before the first part.
    void read_template(std::string_view open) {
        std::string out;
        while (at_ < text_.size()) {
            const char c = text_[at_++];
            if (c == '`') {
                add(Kind::kTemplate, owned_.emplace_front(std::move(out))).more = open;
                add(Kind::kTemplateEnd, "`");
                templates_.pop_back();
                return;
            }
            if (c == '$' && peek() == '{') {
                ++at_;
                add(Kind::kTemplate, owned_.emplace_front(std::move(out))).more = open;
                return;
            }
            if (c == '\\') {
                read_escape(out);
            } else {
                line_ += c == '\n' ? 1 : 0;
                out += c;
            }
        }
        fail(Fault::kUnclosed, "`");
    }

    void read_pattern() {
        const std::size_t from = at_++;
        bool in_class = false;
        while (at_ < text_.size() && (in_class || text_[at_] != '/') && text_[at_] != '\n') {
            in_class = text_[at_] == '[' || (in_class && text_[at_] != ']');
            at_ += text_[at_] == '\\' ? 2 : 1;
        }
        if (at_ >= text_.size() || text_[at_] != '/') {
            fail(Fault::kUnclosed, some(from));
            return;
        }
        const std::size_t end = at_++;
        while (at_ < text_.size() && is_name(text_[at_])) {
            ++at_;
        }
        Token& token = add(Kind::kRegex, text_.substr(from + 1, end - from - 1));
        token.more = text_.substr(end + 1, at_ - end - 1);
    }

    void read_mark() {
        const auto mark = std::ranges::find_if(kMarks, [&](std::string_view each) {
            return each.front() == peek() && rest().starts_with(each);
        });
        if (mark == kMarks.end()) {
            fail(Fault::kSyntax, some(at_));
            return;
        }
        std::string_view text = *mark;
        // a?.5:b is a choice.
        if (text == "?." && is_digit(peek(2))) {
            text = "?";
        }
        if (text == "}" && !templates_.empty() && open_.size() == templates_.back()) {
            ++at_;
            read_template("");
            return;
        }
        if (text == "}" || text == ")" || text == "]") {
            if (!closes(text)) {
                return;
            }
        }
        at_ += text.size();
        if (text == "{" || text == "(" || text == "[") {
            open_.push_back(tokens_.size());
        }
        add(Kind::kMark, text);
    }
    bool closes(std::string_view close) {
        const std::string_view open = close == "}" ? "{" : close == ")" ? "(" : "[";
        if (open_.empty() || tokens_[open_.back()].text != open) {
            fail(Fault::kSyntax, std::string(close));
            return false;
        }
        tokens_[open_.back()].match = static_cast<std::uint32_t>(tokens_.size());
        open_.pop_back();
        return true;
    }

    std::span<const Piece> pieces_;
    std::forward_list<std::string>& owned_;
    std::string_view text_;
    std::size_t at_ = 0;
    std::uint32_t line_ = 1;
    bool after_line_ = false;
    std::vector<Token> tokens_;
    std::vector<std::size_t> open_;       // brackets
    std::vector<std::size_t> templates_;  // of each open literal: open brackets around it
    std::optional<Failure> failure_;
};

}  // namespace

std::expected<std::vector<Token>, Failure> read_tokens(std::span<const Piece> pieces,
                                                       std::forward_list<std::string>& owned) {
    return Lexer(pieces, owned).run();
}

}  // namespace arbiter::ejs::internal
