#include "card/internal/script_tokens.h"

#include <algorithm>

#include "text/ascii.h"

namespace arbiter::card::internal {
namespace {

bool is_name_start(char c) {
    return text::is_letter(c) || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_name_char(char c) {
    return is_name_start(c) || text::is_digit(c);
}

class Tokens {
  public:
    explicit Tokens(std::string_view text) : text_(text) {}

    std::vector<Token> all() {
        std::vector<Token> tokens;
        while (true) {
            skip_blanks();
            const std::size_t begin = at_;
            const std::size_t line = line_;
            const bool operand = tokens.empty() || ends_before_operand(tokens.back());
            const Token::Kind kind = next(operand);
            tokens.push_back({kind, text_.substr(begin, at_ - begin), line});
            if (kind == Token::Kind::kEnd) {
                return tokens;
            }
        }
    }

  private:
    // Whether a slash behind this token begins a regular expression.
    static bool ends_before_operand(const Token& token) {
        if (token.kind == Token::Kind::kName) {
            return token.text == "return" || token.text == "typeof";
        }
        return token.kind == Token::Kind::kMark && token.text != ")" && token.text != "]" &&
               token.text != "}";
    }
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    void step() {
        line_ += text_[at_] == '\n' ? 1 : 0;
        ++at_;
    }
    void skip_to(std::string_view end) {
        const std::size_t found = std::min(text_.find(end, at_), text_.size());
        while (at_ < std::min(found + end.size(), text_.size())) {
            step();
        }
    }
    void skip_blanks() {
        constexpr std::string_view kMark = "\xEF\xBB\xBF";
        constexpr std::string_view kWide = "\xE3\x80\x80";
        constexpr std::string_view kNoBreak = "\xC2\xA0";
        while (at_ < text_.size()) {
            const std::string_view rest = text_.substr(at_);
            if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\r' || rest[0] == '\n') {
                step();
            } else if (rest.starts_with("//")) {
                while (at_ < text_.size() && text_[at_] != '\n') {
                    ++at_;
                }
            } else if (rest.starts_with("/*")) {
                at_ += 2;
                skip_to("*/");
            } else if (rest.starts_with(kMark) || rest.starts_with(kWide)) {
                at_ += kMark.size();
            } else if (rest.starts_with(kNoBreak)) {
                at_ += kNoBreak.size();
            } else {
                return;
            }
        }
    }
    Token::Kind next(bool operand) {
        if (at_ == text_.size()) {
            return Token::Kind::kEnd;
        }
        const char c = peek();
        if (is_name_start(c)) {
            while (at_ < text_.size() && is_name_char(peek())) {
                ++at_;
            }
            return Token::Kind::kName;
        }
        if (text::is_digit(c) || (c == '.' && text::is_digit(peek(1)))) {
            while (at_ < text_.size() && (is_name_char(peek()) || peek() == '.' ||
                                          ((peek() == '-' || peek() == '+') &&
                                           (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E')))) {
                ++at_;
            }
            return Token::Kind::kNumber;
        }
        if (c == '"' || c == '\'' || c == '`') {
            return string(c);
        }
        if (c == '/' && operand) {
            return pattern();
        }
        for (const std::string_view mark : {"...", "=>", "?.", "===", "!==", "==", "!=", "<=", ">=",
                                            "&&", "||", "??", "**", "++", "--"}) {
            if (text_.substr(at_).starts_with(mark)) {
                at_ += mark.size();
                return Token::Kind::kMark;
            }
        }
        ++at_;
        return Token::Kind::kMark;
    }
    Token::Kind string(char quote) {
        bool plain = true;
        ++at_;
        while (at_ < text_.size() && peek() != quote) {
            plain = plain && !(quote == '`' && peek() == '$' && peek(1) == '{');
            if (peek() == '\\' && at_ + 1 < text_.size()) {
                step();
            } else if (peek() == '\n' && quote != '`') {
                return Token::Kind::kOther;  // never closed
            }
            step();
        }
        at_ += at_ < text_.size() ? 1 : 0;
        return plain ? Token::Kind::kText : Token::Kind::kOther;
    }
    Token::Kind pattern() {
        bool in_class = false;
        ++at_;
        while (at_ < text_.size() && peek() != '\n' && (in_class || peek() != '/')) {
            if (peek() == '\\' && peek(1) != '\n' && at_ + 1 < text_.size()) {
                ++at_;
            } else if (peek() == '[' || peek() == ']') {
                in_class = peek() == '[';
            }
            ++at_;
        }
        at_ += at_ < text_.size() && peek() == '/' ? 1 : 0;
        while (at_ < text_.size() && is_name_char(peek())) {
            ++at_;
        }
        return Token::Kind::kOther;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view script) {
    return Tokens(script).all();
}

std::string unquoted(std::string_view token) {
    std::string out;
    token = token.substr(1, token.size() < 2 ? 0 : token.size() - 2);
    for (std::size_t i = 0; i < token.size(); ++i) {
        if (token[i] != '\\' || i + 1 == token.size()) {
            out.push_back(token[i]);
            continue;
        }
        ++i;
        switch (token[i]) {
            case 'n':
                out.push_back('\n');
                break;
            case 't':
                out.push_back('\t');
                break;
            case '\n':
                break;
            default:
                out.push_back(token[i]);
        }
    }
    return out;
}

}  // namespace arbiter::card::internal
