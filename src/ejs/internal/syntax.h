// Syntax: the tree of a parsed template, in flat arrays. Children are indexes, so that deep trees
// are destroyed without recursion.
#pragma once

#include <cstdint>
#include <forward_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ejs/internal/datum.h"

namespace arbiter::ejs::internal {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = static_cast<NodeId>(-1);

enum class Operator : std::uint8_t {
    kNone,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kRemainder,
    kPower,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kEqual,
    kNotEqual,
    kSame,
    kNotSame,
    kIn,
    kBitAnd,
    kBitOr,
    kBitXor,
    kShiftLeft,
    kShiftRight,
    kShiftRightUnsigned,
    kAnd,
    kOr,
    kCoalesce,
    kNot,
    kBitNot,
    kTypeof,
    kVoid,
    kDelete
};

// In comments: children a, b, c; list = the children in `lists`.
enum class NodeKind : std::uint8_t {
    // expressions
    kNumber,  // number
    kText,    // text
    kTrue,
    kFalse,
    kNull,
    kUndefined,
    kName,  // symbol
    kThis,
    kTemplate,  // list: texts and expressions in turn
    kRegex,     // text = source, more = flags
    kArray,     // list; holes are kUndefined
    kObject,    // list of kProperty and kSpread
    kProperty,  // a = key (an expression if `flag`, else kText), b = value or pattern
    kFunction,  // list = parameters; a = body; flag: the body is an expression; symbol = name
    kUnary,     // op, a
    kUpdate,    // op = kAdd or kSubtract, a; flag: prefix
    kBinary,    // op, a, b
    kLogical,   // op, a, b
    kChoice,    // list: condition, value, condition, value, …, last value
    kAssign,    // op (kNone: =), a = target, b
    kMember,    // a, text; flag: optional
    kIndex,     // a, b; flag: optional
    kCall,      // a, list = arguments; flag: optional
    kNew,       // a, list
    kChain,     // a: the expression that an optional member inside it cuts short
    kSpread,    // a
    kSequence,  // list
    // patterns, beside kName, kMember and kIndex
    kArrayPattern,   // list; holes are kUndefined
    kObjectPattern,  // list of kProperty and kRest
    kDefault,        // a = target, b = default
    kRest,           // a
    // statements
    kPlain,       // text between tags
    kOutput,      // a
    kExpression,  // a
    kDeclare,     // list of kDefault or targets; op unused; more = let, const, var
    kBlock,       // list; flag: declares names of its own
    kIf,          // list: condition, statement, …, [last statement]
    kFor,         // a = begin, b = condition, c = step, list[0] = body
    kForOf,       // a = declaration or target, b = list, c = body
    kForIn,       // the same
    kWhile,       // a, b = body; flag: do … while
    kSwitch,      // a, list of kCase
    kCase,        // a = value or kNoNode (default), list
    kBreak,
    kContinue,
    kReturn,  // a or kNoNode
    kThrow,   // a
    kTry,     // a = block, b = handler, c = final block; list[0] = the handler's name
    kEmpty
};

struct Node {
    NodeKind kind = NodeKind::kEmpty;
    Operator op = Operator::kNone;
    bool flag = false;
    std::uint32_t line = 1;
    NodeId a = kNoNode;
    NodeId b = kNoNode;
    NodeId c = kNoNode;
    std::uint32_t symbol = 0;
    std::uint32_t first = 0;  // of its list
    std::uint32_t count = 0;
    // `var` and function names that a function or the whole template declares.
    std::uint32_t hoisted = 0;
    std::uint32_t hoisted_count = 0;
    double number = 0;
    std::string_view text = {};
    std::string_view more = {};
};

struct Program {
    std::vector<Node> nodes;
    std::vector<NodeId> lists;
    std::vector<std::uint32_t> hoists;  // symbols
    std::vector<std::string_view> symbols;
    std::vector<std::optional<Datum>> globals;  // by symbol: the function or namespace of this name
    std::unordered_map<std::string_view, std::uint32_t> symbol_of;
    std::forward_list<std::string> owned;  // texts that are not in the template
    NodeId root = kNoNode;                 // a kBlock

    [[nodiscard]] const Node& operator[](NodeId id) const noexcept { return nodes[id]; }
    [[nodiscard]] std::span<const NodeId> list(const Node& node) const noexcept {
        return std::span(lists).subspan(node.first, node.count);
    }
};

}  // namespace arbiter::ejs::internal
