#include "ejs/internal/parser.h"

#include <algorithm>

#include "ejs/internal/expression_parser.h"
#include "ejs/internal/globals.h"
#include "ejs/internal/lexer.h"
#include "ejs/internal/tags.h"

namespace arbiter::ejs::internal {
namespace {

using Kind = Token::Kind;

class Parser final : public ExpressionParser {
  public:
    using ExpressionParser::ExpressionParser;

    std::optional<Failure> run(Program& program) {
        const NodeId root = add(NodeKind::kBlock);
        std::vector<NodeId> list;
        while (!failed() && now().kind != Kind::kEnd) {
            list.push_back(parse_statement());
        }
        set_list(root, list);
        at(root).flag = true;
        end_hoists(root);
        program.root = root;
        return std::move(failure_);
    }

  private:
    NodeId parse_block() override {
        const NodeId block = add(NodeKind::kBlock);
        expect("{");
        std::vector<NodeId> list;
        while (!failed() && !now().is("}") && now().kind != Kind::kEnd) {
            list.push_back(parse_statement());
        }
        expect("}");
        set_list(block, list);
        at(block).flag = std::ranges::any_of(list, [this](NodeId id) {
            const Node& node = at(id);
            return (node.kind == NodeKind::kDeclare && node.more != "var") ||
                   node.kind == NodeKind::kFunction;
        });
        return block;
    }

    NodeId parse_statement() {
        if (++nesting_ > kNestingMax) {
            fail(Fault::kDepth, std::to_string(kNestingMax));
        }
        const NodeId id = failed() ? add(NodeKind::kEmpty) : parse_any_statement();
        --nesting_;
        return id;
    }

    NodeId parse_any_statement() {
        switch (now().kind) {
            case Kind::kPlain: {
                Node node;
                node.kind = NodeKind::kPlain;
                node.text = now().text;
                const NodeId id = add(node);
                advance();
                return id;
            }
            case Kind::kOutputBegin:
                return parse_output();
            case Kind::kMark:
                if (now().is("{")) {
                    return parse_block();
                }
                if (now().is(";")) {
                    const NodeId id = add(NodeKind::kEmpty);
                    advance();
                    return id;
                }
                return parse_expression_statement();
            case Kind::kName:
                return parse_word_statement();
            case Kind::kOutputEnd:
            case Kind::kNumber:
            case Kind::kText:
            case Kind::kTemplate:
            case Kind::kTemplateEnd:
            case Kind::kRegex:
            case Kind::kEnd:
                return parse_expression_statement();
        }
        return add(NodeKind::kEmpty);
    }

    NodeId parse_output() {
        const NodeId output = add(NodeKind::kOutput);
        advance();
        if (now().kind == Kind::kOutputEnd) {  // <%= %>
            advance();
            at(output).kind = NodeKind::kEmpty;
            return output;
        }
        const NodeId value = parse_sequence();
        at(output).a = value;
        take(";");
        if (now().kind != Kind::kOutputEnd) {
            fail_here();
        }
        advance();
        return output;
    }

    NodeId parse_word_statement() {
        const std::string_view word = now().text;
        if (word == "const" || word == "var" ||
            (word == "let" && (next().kind == Kind::kName || next().is("[") || next().is("{")))) {
            const NodeId declared = parse_declaration();
            end_statement();
            return declared;
        }
        if (word == "if") {
            return parse_if();
        }
        if (word == "for") {
            return parse_for();
        }
        if (word == "while") {
            return parse_while();
        }
        if (word == "do") {
            return parse_do();
        }
        if (word == "switch") {
            return parse_switch();
        }
        if (word == "try") {
            return parse_try();
        }
        if (word == "function" || (word == "async" && next().is_word("function"))) {
            return parse_function(true);
        }
        if (word == "return" || word == "throw") {
            return parse_leave(word == "return" ? NodeKind::kReturn : NodeKind::kThrow);
        }
        if (word == "break" || word == "continue") {
            const NodeId id = add(word == "break" ? NodeKind::kBreak : NodeKind::kContinue);
            advance();
            if (now().kind == Kind::kName && !now().after_line) {
                fail(Fault::kUnsupported, "label");
            }
            end_statement();
            return id;
        }
        if (word == "class" || word == "import" || word == "export" || word == "with" ||
            word == "debugger") {
            fail(Fault::kUnsupported, std::string(word));
        } else if (next().is(":")) {
            fail(Fault::kUnsupported, "label");
        }
        return parse_expression_statement();
    }

    // A statement ends with a semicolon, a line, a bracket or a tag.
    void end_statement() {
        if (take(";") || failed()) {
            return;
        }
        const bool ends = now().after_line || now().is("}") || now().kind == Kind::kPlain ||
                          now().kind == Kind::kOutputBegin || now().kind == Kind::kEnd;
        if (!ends) {
            fail_here();
        }
    }

    NodeId parse_expression_statement() {
        const NodeId statement = add(NodeKind::kExpression);
        const NodeId value = parse_sequence();
        at(statement).a = value;
        end_statement();
        return statement;
    }

    NodeId parse_declaration() {
        Node node;
        node.kind = NodeKind::kDeclare;
        node.more = now().text;
        const NodeId declared = add(node);
        advance();
        std::vector<NodeId> list;
        do {
            list.push_back(parse_target());
            if (node.more == "var" && !failed()) {
                hoist_pattern(list.back());
            }
        } while (!failed() && take(","));
        set_list(declared, list);
        return declared;
    }

    NodeId parse_condition() {
        expect("(");
        const NodeId condition = parse_sequence();
        expect(")");
        return condition;
    }

    NodeId parse_if() {
        const NodeId made = add(NodeKind::kIf);
        std::vector<NodeId> list;
        while (!failed() && take_word("if")) {
            list.push_back(parse_condition());
            list.push_back(parse_statement());
            // Blank text between } and else belongs to neither.
            if (now().kind == Kind::kPlain && next().is_word("else") && is_blank(now().text)) {
                advance();
            }
            if (!take_word("else")) {
                break;
            }
            if (!now().is_word("if")) {
                list.push_back(parse_statement());
            }
        }
        set_list(made, list);
        return made;
    }
    static bool is_blank(std::string_view text) {
        return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
    }

    NodeId parse_for() {
        const NodeId made = add(NodeKind::kFor);
        advance();
        if (take_word("await")) {
            fail(Fault::kUnsupported, "for await");
        }
        expect("(");
        NodeId begin = kNoNode;
        if (now().is_word("const") || now().is_word("let") || now().is_word("var")) {
            if (is_each_loop()) {
                Node node;
                node.kind = NodeKind::kDeclare;
                node.more = now().text;
                begin = add(node);
                advance();
                const NodeId target = parse_target();
                set_list(begin, {target});
                if (node.more == "var") {
                    hoist_pattern(target);
                }
            } else {
                begin = parse_declaration();
            }
        } else if (!now().is(";")) {
            begin = is_each_loop() ? parse_target() : parse_sequence();
        }
        if (now().is_word("of") || now().is_word("in")) {
            at(made).kind = now().is_word("of") ? NodeKind::kForOf : NodeKind::kForIn;
            advance();
            const NodeId list = parse_sequence();
            expect(")");
            const NodeId body = parse_statement();
            at(made).a = begin;
            at(made).b = list;
            at(made).c = body;
            return made;
        }
        expect(";");
        const NodeId condition = now().is(";") ? kNoNode : parse_sequence();
        expect(";");
        const NodeId step = now().is(")") ? kNoNode : parse_sequence();
        expect(")");
        const NodeId body = parse_statement();
        at(made).a = begin;
        at(made).b = condition;
        at(made).c = step;
        set_list(made, {body});
        return made;
    }
    // Whether `of` or `in` follows the target that begins at the next tokens.
    [[nodiscard]] bool is_each_loop() const {
        std::size_t ahead = now().is_word("const") || now().is_word("let") || now().is_word("var");
        const Token& first = next(ahead);
        if ((first.is("[") || first.is("{")) && first.match != 0) {
            ahead += first.match - index_of(first);
        }
        return next(ahead + 1).is_word("of") || next(ahead + 1).is_word("in");
    }
    [[nodiscard]] std::size_t index_of(const Token& token) const {
        return static_cast<std::size_t>(&token - &next(0)) + position();
    }

    NodeId parse_while() {
        const NodeId made = add(NodeKind::kWhile);
        advance();
        const NodeId condition = parse_condition();
        const NodeId body = parse_statement();
        at(made).a = condition;
        at(made).b = body;
        return made;
    }
    NodeId parse_do() {
        const NodeId made = add(NodeKind::kWhile);
        advance();
        const NodeId body = parse_statement();
        if (!take_word("while")) {
            fail_here();
        }
        const NodeId condition = parse_condition();
        take(";");
        at(made).a = condition;
        at(made).b = body;
        at(made).flag = true;
        return made;
    }

    NodeId parse_switch() {
        const NodeId made = add(NodeKind::kSwitch);
        advance();
        const NodeId value = parse_condition();
        expect("{");
        std::vector<NodeId> cases;
        while (!failed() && !now().is("}")) {
            if (now().kind == Kind::kPlain && cases.empty() && is_blank(now().text)) {
                advance();
                continue;
            }
            const NodeId each = add(NodeKind::kCase);
            if (take_word("case")) {
                const NodeId label = parse_sequence();
                at(each).a = label;
            } else if (!take_word("default")) {
                fail_here();
            }
            expect(":");
            std::vector<NodeId> list;
            while (!failed() && !now().is("}") && !now().is_word("case") &&
                   !now().is_word("default") && now().kind != Kind::kEnd) {
                list.push_back(parse_statement());
            }
            set_list(each, list);
            cases.push_back(each);
        }
        expect("}");
        at(made).a = value;
        set_list(made, cases);
        return made;
    }

    NodeId parse_try() {
        const NodeId made = add(NodeKind::kTry);
        advance();
        const NodeId block = parse_block();
        NodeId handler = kNoNode;
        NodeId last = kNoNode;
        if (take_word("catch")) {
            if (take("(")) {
                const NodeId name = parse_target();
                set_list(made, {name});
                expect(")");
            }
            handler = parse_block();
        }
        if (take_word("finally")) {
            last = parse_block();
        }
        if (handler == kNoNode && last == kNoNode) {
            fail_here();
        }
        at(made).a = block;
        at(made).b = handler;
        at(made).c = last;
        return made;
    }

    NodeId parse_leave(NodeKind kind) {
        const NodeId made = add(kind);
        advance();
        const bool is_bare = now().is(";") || now().is("}") || now().after_line ||
                             now().kind == Kind::kPlain || now().kind == Kind::kEnd;
        if (!is_bare) {
            const NodeId value = parse_sequence();
            at(made).a = value;
        }
        end_statement();
        return made;
    }

    // Statements inside statements; expressions count their own nesting.
    static constexpr std::size_t kNestingMax = 128;
    std::size_t nesting_ = 0;
};

}  // namespace

std::expected<Program, Failure> parse(std::string_view text) {
    auto pieces = split_tags(text);
    if (!pieces) {
        return std::unexpected(std::move(pieces.error()));
    }
    Program program;
    auto tokens = read_tokens(*pieces, program.owned);
    if (!tokens) {
        return std::unexpected(std::move(tokens.error()));
    }
    program.nodes.reserve(tokens->size());
    if (auto failure = Parser(*tokens, program).run(program)) {
        return std::unexpected(*std::move(failure));
    }
    for (const std::string_view name : program.symbols) {
        program.globals.push_back(find_global(name));
    }
    return program;
}

}  // namespace arbiter::ejs::internal
