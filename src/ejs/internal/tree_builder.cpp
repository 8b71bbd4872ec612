#include "ejs/internal/tree_builder.h"

#include <utility>

#include "text/truncate.h"

namespace arbiter::ejs::internal {
namespace {

using Kind = Token::Kind;

}  // namespace

bool TreeBuilder::take(std::string_view mark) {
    if (!now().is(mark)) {
        return false;
    }
    advance();
    return true;
}
bool TreeBuilder::take_word(std::string_view word) {
    if (!now().is_word(word)) {
        return false;
    }
    advance();
    return true;
}
void TreeBuilder::expect(std::string_view mark) {
    if (!take(mark)) {
        fail_here();
    }
}
void TreeBuilder::fail(Fault fault, std::string word) {
    if (!failure_) {
        failure_ = Failure{fault, now().line, {std::move(word)}};
    }
}
void TreeBuilder::fail_here() {
    const bool is_outside = now().kind == Kind::kEnd || now().kind == Kind::kOutputEnd;
    fail(Fault::kSyntax, is_outside ? "%>" : std::string(text::truncate(now().text, 24)));
}

NodeId TreeBuilder::add(NodeKind kind) {
    Node node;
    node.kind = kind;
    return add(node);
}
NodeId TreeBuilder::add(Node node) {
    node.line = now().line;
    program_.nodes.push_back(node);
    return static_cast<NodeId>(program_.nodes.size() - 1);
}
void TreeBuilder::set_list(NodeId id, const std::vector<NodeId>& list) {
    at(id).first = static_cast<std::uint32_t>(program_.lists.size());
    at(id).count = static_cast<std::uint32_t>(list.size());
    program_.lists.insert(program_.lists.end(), list.begin(), list.end());
}
std::uint32_t TreeBuilder::symbol(std::string_view name) {
    const auto [found, is_new] =
        program_.symbol_of.try_emplace(name, static_cast<std::uint32_t>(program_.symbols.size()));
    if (is_new) {
        program_.symbols.push_back(name);
    }
    return found->second;
}

void TreeBuilder::hoist(std::uint32_t symbol) {
    hoists_.back().push_back(symbol);
}
void TreeBuilder::hoist_pattern(NodeId pattern) {
    if (pattern == kNoNode) {
        return;
    }
    const Node node = at(pattern);
    switch (node.kind) {
        case NodeKind::kName:
            hoist(node.symbol);
            break;
        case NodeKind::kDefault:
        case NodeKind::kRest:
            hoist_pattern(node.a);
            break;
        case NodeKind::kProperty:
            hoist_pattern(node.b);
            break;
        case NodeKind::kArrayPattern:
        case NodeKind::kObjectPattern:
            for (std::uint32_t i = 0; i < node.count; ++i) {
                hoist_pattern(program_.lists[node.first + i]);
            }
            break;
        default:
            break;
    }
}
void TreeBuilder::end_hoists(NodeId function) {
    at(function).hoisted = static_cast<std::uint32_t>(program_.hoists.size());
    at(function).hoisted_count = static_cast<std::uint32_t>(hoists_.back().size());
    program_.hoists.insert(program_.hoists.end(), hoists_.back().begin(), hoists_.back().end());
}

// Reads a list or object that is assigned to as a pattern.
NodeId TreeBuilder::as_pattern(NodeId expression) {
    const Node node = at(expression);
    switch (node.kind) {
        case NodeKind::kName:
        case NodeKind::kMember:
        case NodeKind::kIndex:
        case NodeKind::kUndefined:
            break;
        case NodeKind::kAssign: {
            const NodeId target = as_pattern(node.a);
            at(expression).kind = NodeKind::kDefault;
            at(expression).a = target;
            break;
        }
        case NodeKind::kSpread: {
            const NodeId target = as_pattern(node.a);
            at(expression).kind = NodeKind::kRest;
            at(expression).a = target;
            break;
        }
        case NodeKind::kProperty: {
            const NodeId target = as_pattern(node.b);
            at(expression).b = target;
            break;
        }
        case NodeKind::kArray:
        case NodeKind::kObject:
            at(expression).kind =
                node.kind == NodeKind::kArray ? NodeKind::kArrayPattern : NodeKind::kObjectPattern;
            for (std::uint32_t i = 0; i < node.count && !failed(); ++i) {
                as_pattern(program_.lists[node.first + i]);
            }
            break;
        default:
            fail_here();
            return add(NodeKind::kEmpty);
    }
    return expression;
}

}  // namespace arbiter::ejs::internal
