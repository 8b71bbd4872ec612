#include "ejs/internal/operator_table.h"

#include <algorithm>
#include <array>

namespace arbiter::ejs::internal {
namespace {

constexpr auto kBinary = std::to_array<BinaryRow>({
    {"??", Operator::kCoalesce, 1, NodeKind::kLogical},
    {"||", Operator::kOr, 2, NodeKind::kLogical},
    {"&&", Operator::kAnd, 3, NodeKind::kLogical},
    {"|", Operator::kBitOr, 4},
    {"^", Operator::kBitXor, 5},
    {"&", Operator::kBitAnd, 6},
    {"==", Operator::kEqual, 7},
    {"!=", Operator::kNotEqual, 7},
    {"===", Operator::kSame, 7},
    {"!==", Operator::kNotSame, 7},
    {"<", Operator::kLess, 8},
    {"<=", Operator::kLessEqual, 8},
    {">", Operator::kGreater, 8},
    {">=", Operator::kGreaterEqual, 8},
    {"in", Operator::kIn, 8},
    {"<<", Operator::kShiftLeft, 9},
    {">>", Operator::kShiftRight, 9},
    {">>>", Operator::kShiftRightUnsigned, 9},
    {"+", Operator::kAdd, 10},
    {"-", Operator::kSubtract, 10},
    {"*", Operator::kMultiply, 11},
    {"/", Operator::kDivide, 11},
    {"%", Operator::kRemainder, 11},
    {"**", Operator::kPower, 12},
});

constexpr auto kAssignments = std::to_array<OperatorRow>({
    {"=", Operator::kNone},
    {"+=", Operator::kAdd},
    {"-=", Operator::kSubtract},
    {"*=", Operator::kMultiply},
    {"/=", Operator::kDivide},
    {"%=", Operator::kRemainder},
    {"**=", Operator::kPower},
    {"&&=", Operator::kAnd},
    {"||=", Operator::kOr},
    {"?\?=", Operator::kCoalesce},
    {"&=", Operator::kBitAnd},
    {"|=", Operator::kBitOr},
    {"^=", Operator::kBitXor},
    {"<<=", Operator::kShiftLeft},
    {">>=", Operator::kShiftRight},
    {">>>=", Operator::kShiftRightUnsigned},
});
constexpr auto kUnary = std::to_array<OperatorRow>({
    {"!", Operator::kNot},
    {"-", Operator::kSubtract},
    {"+", Operator::kAdd},
    {"~", Operator::kBitNot},
    {"typeof", Operator::kTypeof},
    {"void", Operator::kVoid},
    {"delete", Operator::kDelete},
});

template <typename Rows>
const auto* find_row(const Rows& rows, std::string_view mark) noexcept {
    const auto found = std::ranges::find_if(rows, [mark](const auto& row) {
        return row.mark.front() == mark.front() && row.mark == mark;
    });
    return found != rows.end() ? &*found : nullptr;
}

// Words that are not names of variables.
constexpr auto kReserved = std::to_array<std::string_view>(
    {"break",  "case",   "catch",      "class",  "const",   "continue", "debugger", "default",
     "delete", "do",     "else",       "export", "extends", "finally",  "for",      "if",
     "import", "in",     "instanceof", "new",    "return",  "super",    "switch",   "throw",
     "try",    "typeof", "var",        "void",   "while",   "with",     "yield",    "let"});

}  // namespace

const BinaryRow* find_binary(std::string_view mark) noexcept {
    return find_row(kBinary, mark);
}
const OperatorRow* find_assignment(std::string_view mark) noexcept {
    return find_row(kAssignments, mark);
}
const OperatorRow* find_unary(std::string_view mark) noexcept {
    return find_row(kUnary, mark);
}

bool is_reserved(std::string_view word) noexcept {
    return std::ranges::find(kReserved, word) != kReserved.end();
}

}  // namespace arbiter::ejs::internal
