#include "card/internal/script_syntax.h"

#include <algorithm>
#include <optional>

#include "base/limits.h"
#include "card/internal/script_tokens.h"
#include "value/number.h"

namespace arbiter::card::internal {
namespace {

using Kind = Syntax::Kind;

class Parser {
  public:
    Parser(std::string_view text, std::string_view function)
        : text_(text), function_(function), tokens_(tokens_of(text)) {}

    Script run() {
        Script script;
        for (at_ = 0; !at_end() && !cut_;) {
            const std::size_t begin = at_;
            if (is_one_of({"const", "let", "var"}) && is_name(1)) {
                const std::string name(token(1).text);
                at_ += 2;
                if (skip_type("=") && is("=")) {
                    ++at_;
                    const std::size_t value = at_;
                    Syntax node = expression();
                    // Statements inside of functions are read too.
                    at_ = node.kind == Kind::kFunction || node.kind == Kind::kOpaque ? value : at_;
                    script.names.insert_or_assign(name, std::move(node));
                }
            } else if (is("function") && is_name(1)) {
                const std::string name(token(1).text);
                at_ += 2;
                const std::size_t value = at_;
                if (auto node = function_after(at_)) {
                    script.names.insert_or_assign(name, std::move(*node));
                }
                at_ = value;
            } else if (is(function_) && token(1).text == "(") {
                Syntax call = expression();
                if (call.kind == Kind::kCall) {
                    script.calls.push_back(std::move(call));
                }
            }
            at_ = std::max(at_, begin + 1);
        }
        script.cut = cut_;
        return script;
    }

  private:
    [[nodiscard]] const Token& token(std::size_t ahead = 0) const {
        return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
    }
    [[nodiscard]] bool at_end() const { return token().kind == Token::Kind::kEnd; }
    [[nodiscard]] bool is(std::string_view text) const {
        return token().text == text && token().kind != Token::Kind::kText &&
               token().kind != Token::Kind::kOther;
    }
    [[nodiscard]] bool is_one_of(std::initializer_list<std::string_view> words) const {
        return std::ranges::any_of(words, [this](std::string_view word) { return is(word); });
    }
    [[nodiscard]] bool is_name(std::size_t ahead) const {
        return token(ahead).kind == Token::Kind::kName;
    }
    bool take(std::string_view text) {
        const bool found = is(text);
        at_ += found ? 1 : 0;
        return found;
    }
    [[nodiscard]] bool at_delimiter() const {
        return at_end() || is_one_of({",", ")", "]", "}", ";"});
    }

    // Skips `: type` before `stop`.
    bool skip_type(std::string_view stop) {
        if (!is(":")) {
            return true;
        }
        std::size_t level = 0;
        for (; !at_end(); ++at_) {
            if (level == 0 && is(stop)) {
                return true;
            }
            if (is_one_of({"(", "[", "{", "<"})) {
                ++level;
            } else if (is_one_of({")", "]", "}", ">"})) {
                if (level == 0) {
                    return false;
                }
                --level;
            } else if (is(";")) {
                return false;
            }
        }
        return false;
    }
    void skip_balanced() {
        std::size_t level = 0;
        for (; !at_end(); ++at_) {
            cut_ = cut_ || ++steps_ > base::kScriptStepsMax;
            if (cut_ || (level == 0 && at_delimiter())) {
                return;
            }
            if (is_one_of({"(", "[", "{"})) {
                ++level;
            } else if (is_one_of({")", "]", "}"})) {
                --level;
            }
        }
    }
    [[nodiscard]] Syntax made(Kind kind, std::size_t begin) {
        cut_ = cut_ || ++nodes_ > base::kScriptNodesMax;
        Syntax node;
        node.kind = kind;
        node.line = tokens_[std::min(begin, tokens_.size() - 1)].line;
        return node;
    }
    // Sets the source of a node that began at a token and ends before the current one.
    void close(Syntax& node, std::size_t begin) const {
        const std::size_t end = std::min(at_, tokens_.size() - 1);
        begin = std::min(begin, end);
        const char* const first = tokens_[begin].text.data();
        const Token& last = tokens_[end > begin ? end - 1 : begin];
        node.source = {first,
                       static_cast<std::size_t>(last.text.data() + last.text.size() - first)};
    }

    // An element of a list, an argument or a member: up to a comma or the end of what is around it.
    Syntax element() {
        const std::size_t begin = at_;
        const bool spread = take("...");
        Syntax node = expression();
        if (!at_delimiter() || cut_) {
            at_ = begin;
            skip_balanced();
            node = made(Kind::kOpaque, begin);
            close(node, begin);
        }
        if (!spread) {
            return node;
        }
        Syntax around = made(Kind::kSpread, begin);
        around.parts.push_back(std::move(node));
        close(around, begin);
        return around;
    }

    Syntax expression() {
        const std::size_t begin = at_;
        if (level_ >= base::kScriptDepthMax) {
            cut_ = true;
        }
        if (cut_) {
            return made(Kind::kOpaque, begin);
        }
        ++level_;
        Syntax node;
        if (auto function = arrow()) {
            node = std::move(*function);
        } else {
            node = binary(0);
        }
        --level_;
        close(node, begin);
        return node;
    }

    std::optional<Syntax> arrow() {
        const std::size_t begin = at_;
        if (token().kind == Token::Kind::kName && token(1).text == "=>") {
            Syntax node = made(Kind::kFunction, begin);
            node.names.emplace_back(token().text);
            at_ += 2;
            return with_body(std::move(node));
        }
        if (!is("(")) {
            return std::nullopt;
        }
        auto node = function_after(begin);
        if (!node) {
            at_ = begin;
        }
        return node;
    }
    // `(a, b) => body` or, after the name of a function, `(a, b) { … }`.
    std::optional<Syntax> function_after(std::size_t begin) {
        Syntax node = made(Kind::kFunction, begin);
        if (!take("(")) {
            return std::nullopt;
        }
        while (!is(")")) {
            if (token().kind != Token::Kind::kName) {
                return std::nullopt;  // destructuring too
            }
            node.names.emplace_back(token().text);
            ++at_;
            take("?");
            if (is(":")) {
                while (!at_end() && !is_one_of({",", ")", "="})) {
                    ++at_;
                }
            }
            if (!take(",") && !is(")")) {
                return std::nullopt;
            }
        }
        ++at_;
        const bool is_arrow = take("=>");
        if (!is_arrow && !is("{")) {
            return std::nullopt;
        }
        return with_body(std::move(node));
    }
    Syntax with_body(Syntax node) {
        const std::size_t begin = at_;
        if (!is("{")) {
            node.parts.push_back(expression());
            return node;
        }
        if (auto read = block_of_assignments()) {
            node.parts.push_back(*std::move(read));
            return node;
        }
        at_ = begin;
        Syntax block = made(Kind::kOpaque, begin);
        ++at_;
        while (!at_end() && !is("}") && !cut_) {
            skip_balanced();
            if (!is("}")) {
                ++at_;
            }
        }
        take("}");
        close(block, begin);
        node.parts.push_back(std::move(block));
        return node;
    }

    // A block that only assigns members and returns something.
    std::optional<Syntax> block_of_assignments() {
        const std::size_t begin = at_;
        Syntax block = made(Kind::kBlock, begin);
        ++at_;
        while (!cut_) {
            if (take("return")) {
                block.parts.push_back(expression());
                take(";");
                if (!take("}")) {
                    return std::nullopt;
                }
                close(block, begin);
                return block.parts.size() == 1 ? std::move(block.parts[0]) : std::move(block);
            }
            const std::size_t statement = at_;
            Syntax assign = made(Kind::kAssign, statement);
            assign.parts.push_back(expression());
            if (assign.parts[0].kind != Kind::kMember || !take("=")) {
                return std::nullopt;
            }
            assign.parts.push_back(expression());
            take(";");
            close(assign, statement);
            block.parts.push_back(std::move(assign));
        }
        return std::nullopt;
    }

    // Operators by strength. The meaning of most is never needed, but the text continues behind
    // them.
    static int strength(std::string_view mark) {
        if (mark == "*" || mark == "/" || mark == "%") {
            return 4;
        }
        if (mark == "+" || mark == "-") {
            return 3;
        }
        if (mark == "<" || mark == ">" || mark == "<=" || mark == ">=" || mark == "==" ||
            mark == "===" || mark == "!=" || mark == "!==") {
            return 2;
        }
        return mark == "||" || mark == "&&" || mark == "??" ? 1 : 0;
    }
    Syntax binary(int least) {
        const std::size_t begin = at_;
        Syntax left = unary();
        for (std::size_t links = 0; token().kind == Token::Kind::kMark &&
                                    strength(token().text) > least && may_go_on(links);
             ++links) {
            Syntax node = made(Kind::kBinary, begin);
            node.text = token().text;
            const int own = strength(token().text);
            ++at_;
            node.parts.push_back(std::move(left));
            node.parts.push_back(binary(own));
            close(node, begin);
            left = std::move(node);
        }
        return left;
    }
    Syntax unary() {
        const std::size_t begin = at_;
        if (!is_one_of({"-", "+", "!"})) {
            return postfix();
        }
        Syntax node = made(Kind::kUnary, begin);
        node.text = token().text;
        ++at_;
        if (++level_ > base::kScriptDepthMax) {
            cut_ = true;
        }
        node.parts.push_back(cut_ ? made(Kind::kOpaque, begin) : unary());
        --level_;
        return node;
    }
    // A chain of calls or operators becomes as deep as it is long.
    bool may_go_on(std::size_t links) {
        cut_ = cut_ || links > base::kScriptChainMax;
        return !cut_;
    }
    Syntax postfix() {
        const std::size_t begin = at_;
        Syntax node = primary();
        for (std::size_t links = 0; may_go_on(links); ++links) {
            if (is_one_of({".", "?."}) && is_name(1)) {
                Syntax member = made(Kind::kMember, at_ + 1);
                member.text = token(1).text;
                member.parts.push_back(std::move(node));
                at_ += 2;
                close(member, begin);
                node = std::move(member);
            } else if (is("(")) {
                Syntax call = made(Kind::kCall, at_);
                call.line = node.line;
                call.parts.push_back(std::move(node));
                list_into(call, ")");
                close(call, begin);
                node = std::move(call);
            } else if (is("as") || is("satisfies")) {
                ++at_;
                while (!at_delimiter() && !is(".")) {
                    ++at_;
                }
            } else {
                return node;
            }
        }
        return node;
    }
    void list_into(Syntax& node, std::string_view end) {
        ++at_;
        while (!at_end() && !is(end) && !cut_) {
            node.parts.push_back(element());
            if (!take(",") && !is(end)) {
                ++at_;  // a closing mark of another kind
            }
        }
        take(end);
    }
    Syntax primary() {
        const std::size_t begin = at_;
        const Token& first = token();
        Syntax node = made(Kind::kOpaque, begin);
        if (first.kind == Token::Kind::kText) {
            node.kind = Kind::kText;
            node.text = unquoted(first.text);
            ++at_;
        } else if (first.kind == Token::Kind::kNumber) {
            number(node, first.text);
            ++at_;
        } else if (first.kind == Token::Kind::kName) {
            node.kind = first.text == "true"                                ? Kind::kTrue
                        : first.text == "false"                             ? Kind::kFalse
                        : first.text == "null" || first.text == "undefined" ? Kind::kNull
                                                                            : Kind::kName;
            node.text = first.text;
            if (first.text == "function" || first.text == "new" || first.text == "async" ||
                first.text == "await" || first.text == "class") {
                node.kind = Kind::kOpaque;
            }
            ++at_;
        } else if (is("(")) {
            ++at_;
            node = expression();
            if (!take(")")) {
                node.kind = Kind::kOpaque;
            }
        } else if (is("[")) {
            node.kind = Kind::kList;
            list_into(node, "]");
        } else if (is("{")) {
            object(node);
        } else if (first.kind == Token::Kind::kOther) {
            ++at_;
        }
        close(node, begin);
        return node;
    }
    static void number(Syntax& node, std::string_view text) {
        std::string digits(text);
        std::erase(digits, '_');
        const auto number = value::read_double(digits);
        node.number = number.value_or(0);
        node.kind = number ? Kind::kNumber : Kind::kOpaque;
    }
    void object(Syntax& node) {
        node.kind = Kind::kObject;
        ++at_;
        while (!at_end() && !is("}") && !cut_) {
            member(node);
            if (!take(",") && !is("}")) {
                ++at_;
            }
        }
        take("}");
    }
    void member(Syntax& node) {
        const std::size_t begin = at_;
        if (is("...")) {
            node.names.emplace_back();
            node.parts.push_back(element());
            return;
        }
        const Token key = token();
        const bool named = key.kind == Token::Kind::kName || key.kind == Token::Kind::kNumber ||
                           key.kind == Token::Kind::kText;
        if (named && token(1).text == ":" && token(1).kind == Token::Kind::kMark) {
            at_ += 2;
            node.names.push_back(key.kind == Token::Kind::kText ? unquoted(key.text)
                                                                : std::string(key.text));
            node.parts.push_back(element());
            return;
        }
        if (key.kind == Token::Kind::kName && (token(1).text == "," || token(1).text == "}")) {
            node.names.emplace_back(key.text);
            node.parts.push_back(primary());
            return;
        }
        // A method or a computed key: an unknown spread.
        skip_balanced();
        Syntax opaque = made(Kind::kOpaque, begin);
        close(opaque, begin);
        node.names.emplace_back();
        node.parts.push_back(std::move(opaque));
    }

    std::string_view text_;
    std::string_view function_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    std::size_t level_ = 0;
    std::size_t nodes_ = 0;
    std::size_t steps_ = 0;
    bool cut_ = false;
};

}  // namespace

Script parse_script(std::string_view text, std::string_view function) {
    Script script;
    if (text.size() > base::kScriptBytesMax) {
        script.cut = true;
        return script;
    }
    return Parser(text, function).run();
}

}  // namespace arbiter::card::internal
