#include "ejs/internal/expression_parser.h"

#include <algorithm>

#include "base/limits.h"
#include "ejs/internal/operator_table.h"

namespace arbiter::ejs::internal {
using Kind = Token::Kind;

// Nesting, counted while it is in scope.
class ExpressionParser::Level {
  public:
    explicit Level(ExpressionParser& parser) : parser_(parser) {
        if (++parser_.depth_ > base::kTemplateDepthMax) {
            parser_.fail(Fault::kDepth, std::to_string(base::kTemplateDepthMax));
        }
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { --parser_.depth_; }

  private:
    ExpressionParser& parser_;
};

// ---- expressions

NodeId ExpressionParser::parse_sequence() {
    const NodeId first = parse_assignment();
    if (!now().is(",")) {
        return first;
    }
    const NodeId sequence = add(NodeKind::kSequence);
    std::vector<NodeId> list{first};
    while (!failed() && take(",")) {
        list.push_back(parse_assignment());
    }
    set_list(sequence, list);
    return sequence;
}

NodeId ExpressionParser::parse_assignment() {
    const Level level(*this);
    if (failed()) {
        return add(NodeKind::kEmpty);
    }
    if (is_arrow()) {
        return parse_arrow();
    }
    const NodeId left = parse_choice();
    const OperatorRow* row = now().kind == Kind::kMark ? find_assignment(now().text) : nullptr;
    if (row == nullptr || failed()) {
        return left;
    }
    Node node;
    node.kind = NodeKind::kAssign;
    node.op = row->op;
    const NodeId assign = add(node);
    const NodeId target = as_pattern(left);
    const bool is_place = at(target).kind == NodeKind::kName ||
                          at(target).kind == NodeKind::kMember ||
                          at(target).kind == NodeKind::kIndex;
    if (!is_place && (row->op != Operator::kNone || at(target).kind == NodeKind::kEmpty)) {
        fail_here();
    }
    advance();
    const NodeId value = parse_assignment();
    at(assign).a = target;
    at(assign).b = value;
    return assign;
}

NodeId ExpressionParser::parse_choice() {
    const NodeId condition = parse_binary(0);
    if (!now().is("?")) {
        return condition;
    }
    const NodeId choice = add(NodeKind::kChoice);
    std::vector<NodeId> list{condition};
    while (!failed() && take("?")) {
        list.push_back(parse_assignment());
        expect(":");
        if (is_arrow()) {
            list.push_back(parse_arrow());
            break;
        }
        list.push_back(parse_binary(0));
    }
    // a ? b : c = d
    if (now().is("=")) {
        fail_here();
    }
    set_list(choice, list);
    return choice;
}

NodeId ExpressionParser::parse_binary(int least) {
    const Level level(*this);
    NodeId left = parse_unary();
    while (!failed()) {
        const Token& token = now();
        if (token.is_word("instanceof")) {
            fail(Fault::kUnsupported, "instanceof");
            break;
        }
        const BinaryRow* row =
            token.kind == Kind::kMark || token.is_word("in") ? find_binary(token.text) : nullptr;
        if (row == nullptr || row->level <= least) {
            break;
        }
        Node node;
        node.kind = row->kind;
        node.op = row->op;
        const NodeId binary = add(node);
        advance();
        // ** binds to the right.
        const NodeId right =
            parse_binary(row->op == Operator::kPower ? row->level - 1 : row->level);
        at(binary).a = left;
        at(binary).b = right;
        left = binary;
    }
    return left;
}

NodeId ExpressionParser::parse_unary() {
    const Level level(*this);
    if (failed()) {
        return add(NodeKind::kEmpty);
    }
    if (take_word("await")) {
        return parse_unary();
    }
    if (now().is("++") || now().is("--")) {
        Node node;
        node.kind = NodeKind::kUpdate;
        node.op = now().is("++") ? Operator::kAdd : Operator::kSubtract;
        node.flag = true;
        const NodeId update = add(node);
        advance();
        const NodeId target = parse_unary();
        at(update).a = target;
        return update;
    }
    const OperatorRow* row =
        now().kind == Kind::kMark || now().kind == Kind::kName ? find_unary(now().text) : nullptr;
    if (row == nullptr) {
        return parse_postfix();
    }
    Node node;
    node.kind = NodeKind::kUnary;
    node.op = row->op;
    const NodeId unary = add(node);
    advance();
    const NodeId operand = parse_unary();
    at(unary).a = operand;
    return unary;
}

NodeId ExpressionParser::parse_postfix() {
    const NodeId value = parse_members(parse_primary(), true);
    if ((now().is("++") || now().is("--")) && !now().after_line) {
        Node node;
        node.kind = NodeKind::kUpdate;
        node.op = now().is("++") ? Operator::kAdd : Operator::kSubtract;
        node.a = value;
        const NodeId update = add(node);
        advance();
        return update;
    }
    return value;
}

NodeId ExpressionParser::parse_members(NodeId base, bool with_calls) {
    bool is_chain = false;
    while (!failed()) {
        Node node;
        node.a = base;
        if (now().is("?.")) {
            node.flag = true;
            is_chain = true;
            advance();
        }
        if (now().is("(") && with_calls) {
            node.kind = NodeKind::kCall;
            const NodeId call = add(node);
            set_list(call, parse_list(NodeKind::kSpread, &ExpressionParser::parse_assignment));
            base = call;
        } else if (now().is("[")) {
            node.kind = NodeKind::kIndex;
            const NodeId index = add(node);
            advance();
            const NodeId key = parse_sequence();
            expect("]");
            at(index).b = key;
            base = index;
        } else if (node.flag || now().is(".")) {
            if (!node.flag) {
                advance();
            }
            if (now().kind != Kind::kName) {
                fail_here();
                break;
            }
            node.kind = NodeKind::kMember;
            node.text = now().text;
            base = add(node);
            advance();
        } else if (now().kind == Kind::kTemplate && !now().more.empty()) {
            fail(Fault::kUnsupported, "tag`…`");
        } else {
            break;
        }
    }
    if (!is_chain) {
        return base;
    }
    Node chain;
    chain.kind = NodeKind::kChain;
    chain.a = base;
    return add(chain);
}

std::vector<NodeId> ExpressionParser::parse_list(NodeKind spread,
                                                 NodeId (ExpressionParser::*parse)()) {
    std::vector<NodeId> list;
    expect("(");
    while (!failed() && !now().is(")")) {
        if (now().is("...")) {
            const NodeId around = add(spread);
            advance();
            const NodeId inner = (this->*parse)();
            at(around).a = inner;
            list.push_back(around);
        } else {
            list.push_back((this->*parse)());
        }
        if (!take(",")) {
            break;
        }
    }
    expect(")");
    return list;
}

NodeId ExpressionParser::parse_primary() {
    const Token& token = now();
    Node node;
    switch (token.kind) {
        case Kind::kNumber:
            node.kind = NodeKind::kNumber;
            node.number = token.number;
            break;
        case Kind::kText:
            node.kind = NodeKind::kText;
            node.text = token.text;
            break;
        case Kind::kRegex:
            node.kind = NodeKind::kRegex;
            node.text = token.text;
            node.more = token.more;
            break;
        case Kind::kName:
            return parse_word();
        case Kind::kTemplate:
            return parse_template();
        case Kind::kMark:
            if (token.is("(")) {
                advance();
                const NodeId inner = parse_sequence();
                expect(")");
                return inner;
            }
            if (token.is("[")) {
                return parse_array();
            }
            if (token.is("{")) {
                return parse_object();
            }
            [[fallthrough]];
        case Kind::kPlain:
        case Kind::kOutputBegin:
        case Kind::kOutputEnd:
        case Kind::kTemplateEnd:
        case Kind::kEnd:
            fail_here();
            return add(NodeKind::kEmpty);
    }
    const NodeId id = add(node);
    advance();
    return id;
}

NodeId ExpressionParser::parse_word() {
    const Token& token = now();
    if (token.text == "function" || (token.text == "async" && next().is_word("function"))) {
        return parse_function(false);
    }
    if (token.text == "new") {
        return parse_new();
    }
    if (token.text == "class" || token.text == "import" || token.text == "super" ||
        token.text == "yield") {
        fail(Fault::kUnsupported, std::string(token.text));
        return add(NodeKind::kEmpty);
    }
    if (is_reserved(token.text)) {
        fail_here();
        return add(NodeKind::kEmpty);
    }
    Node node;
    if (token.text == "true") {
        node.kind = NodeKind::kTrue;
    } else if (token.text == "false") {
        node.kind = NodeKind::kFalse;
    } else if (token.text == "null") {
        node.kind = NodeKind::kNull;
    } else if (token.text == "undefined") {
        node.kind = NodeKind::kUndefined;
    } else if (token.text == "this") {
        node.kind = NodeKind::kThis;
    } else {
        node.kind = NodeKind::kName;
        node.symbol = symbol(token.text);
        node.text = token.text;
    }
    const NodeId id = add(node);
    advance();
    return id;
}

NodeId ExpressionParser::parse_new() {
    const NodeId made = add(NodeKind::kNew);
    advance();
    const NodeId callee = parse_members(parse_primary(), false);
    at(made).a = callee;
    if (now().is("(")) {
        set_list(made, parse_list(NodeKind::kSpread, &ExpressionParser::parse_assignment));
    }
    return made;
}

NodeId ExpressionParser::parse_template() {
    const NodeId made = add(NodeKind::kTemplate);
    std::vector<NodeId> list;
    while (!failed() && now().kind == Kind::kTemplate) {
        Node text;
        text.kind = NodeKind::kText;
        text.text = now().text;
        list.push_back(add(text));
        advance();
        if (now().kind == Kind::kTemplateEnd) {
            break;
        }
        list.push_back(parse_sequence());
    }
    if (now().kind == Kind::kTemplateEnd) {
        advance();
    } else {
        fail_here();
    }
    set_list(made, list);
    return made;
}

NodeId ExpressionParser::parse_array() {
    const NodeId array = add(NodeKind::kArray);
    expect("[");
    std::vector<NodeId> list;
    while (!failed() && !now().is("]")) {
        if (now().is(",")) {
            list.push_back(add(NodeKind::kUndefined));
        } else if (now().is("...")) {
            const NodeId spread = add(NodeKind::kSpread);
            advance();
            const NodeId inner = parse_assignment();
            at(spread).a = inner;
            list.push_back(spread);
        } else {
            list.push_back(parse_assignment());
        }
        if (!take(",")) {
            break;
        }
    }
    expect("]");
    set_list(array, list);
    return array;
}

NodeId ExpressionParser::parse_object() {
    const NodeId object = add(NodeKind::kObject);
    expect("{");
    std::vector<NodeId> list;
    while (!failed() && !now().is("}")) {
        list.push_back(parse_property());
        if (!take(",")) {
            break;
        }
    }
    expect("}");
    set_list(object, list);
    return object;
}

NodeId ExpressionParser::parse_key(NodeId property) {
    if (take("[")) {
        at(property).flag = true;
        const NodeId key = parse_assignment();
        expect("]");
        return key;
    }
    Node key;
    key.kind = NodeKind::kText;
    key.text = now().text;
    if (now().kind == Kind::kNumber) {
        key.kind = NodeKind::kNumber;
        key.number = now().number;
        at(property).flag = true;
    } else if (now().kind != Kind::kName && now().kind != Kind::kText) {
        fail_here();
    }
    const NodeId id = add(key);
    advance();
    return id;
}

NodeId ExpressionParser::parse_property() {
    if (now().is("...")) {
        const NodeId spread = add(NodeKind::kSpread);
        advance();
        const NodeId inner = parse_assignment();
        at(spread).a = inner;
        return spread;
    }
    const bool is_accessor = (now().is_word("get") || now().is_word("set")) &&
                             (next().kind == Kind::kName || next().kind == Kind::kText);
    if (is_accessor || now().is("*")) {
        fail(Fault::kUnsupported, std::string(now().text));
    }
    if (now().is_word("async") && next().kind == Kind::kName) {
        advance();
    }
    const NodeId property = add(NodeKind::kProperty);
    const Token& name = now();
    const NodeId key = parse_key(property);
    at(property).a = key;
    NodeId value = kNoNode;
    if (now().is("(")) {  // a method
        const NodeId function = add(NodeKind::kFunction);
        hoists_.emplace_back();
        value = parse_body(function);
    } else if (take(":")) {
        value = parse_assignment();
    } else if (name.kind == Kind::kName) {
        Node node;
        node.kind = NodeKind::kName;
        node.symbol = symbol(name.text);
        node.text = name.text;
        value = add(node);
        if (now().is("=")) {  // { a = 1 } is a pattern
            Node fallback;
            fallback.kind = NodeKind::kAssign;
            fallback.a = value;
            const NodeId assign = add(fallback);
            advance();
            const NodeId given = parse_assignment();
            at(assign).b = given;
            value = assign;
        }
    } else {
        fail_here();
    }
    at(property).b = value;
    return property;
}

// ---- functions

bool ExpressionParser::is_arrow() const {
    const std::size_t skip = now().is_word("async") && !next().is("=>") ? 1 : 0;
    const Token& first = next(skip);
    if (first.kind == Kind::kName) {
        return next(skip + 1).is("=>");
    }
    if (!first.is("(") || first.match == 0) {
        return false;
    }
    return first.match + 1 < tokens_.size() && tokens_[first.match + 1].is("=>");
}

NodeId ExpressionParser::parse_arrow() {
    const Level level(*this);
    if (now().is_word("async") && !next().is("=>")) {
        advance();
    }
    Node node;
    node.kind = NodeKind::kFunction;
    node.more = "=>";
    const NodeId function = add(node);
    hoists_.emplace_back();
    return parse_body(function);
}

NodeId ExpressionParser::parse_function(bool is_declaration) {
    const Level level(*this);
    take_word("async");
    Node node;
    node.kind = NodeKind::kFunction;
    const NodeId function = add(node);
    advance();  // function
    if (now().is("*")) {
        fail(Fault::kUnsupported, "function*");
    }
    if (now().kind == Kind::kName) {
        at(function).symbol = symbol(now().text);
        at(function).text = now().text;
        advance();
    } else if (is_declaration) {
        fail_here();
    }
    hoists_.emplace_back();
    return parse_body(function);
}

// Parameters and body; ends the hoists of the function.
NodeId ExpressionParser::parse_body(NodeId function) {
    const bool is_arrow = at(function).more == "=>";
    std::vector<NodeId> parameters;
    if (is_arrow && now().kind == Kind::kName) {
        parameters.push_back(parse_target());
    } else {
        parameters = parse_list(NodeKind::kRest, &ExpressionParser::parse_target);
    }
    if (is_arrow) {
        expect("=>");
    }
    NodeId body = kNoNode;
    if (is_arrow && !now().is("{")) {
        body = parse_assignment();
        at(function).flag = true;
    } else {
        body = parse_block();
    }
    at(function).a = body;
    set_list(function, parameters);
    end_hoists(function);
    hoists_.pop_back();
    return function;
}

// ---- patterns

NodeId ExpressionParser::parse_target() {
    const Level level(*this);
    NodeId target = kNoNode;
    if (now().is("[")) {
        target = as_pattern(parse_array());
    } else if (now().is("{")) {
        target = as_pattern(parse_object());
    } else if (now().kind == Kind::kName) {
        target = parse_word();
    }
    if (failed() || target == kNoNode || at(target).kind == NodeKind::kEmpty) {
        fail_here();
        return add(NodeKind::kEmpty);
    }
    if (!now().is("=")) {
        return target;
    }
    const NodeId fallback = add(NodeKind::kDefault);
    advance();
    const NodeId value = parse_assignment();
    at(fallback).a = target;
    at(fallback).b = value;
    return fallback;
}

}  // namespace arbiter::ejs::internal
