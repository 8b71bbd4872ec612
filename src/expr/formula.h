// Formula: an expression of a rulebook over the document. Total: no loops, no assignments, no names
// outside the document; the work of one evaluation is limited.
//
//   values      12  3.5  "text"  'text'  true  false  null
//   paths       角色.属性.力量, 背包[0], 背包["a.b"]; $who in a path is the key that the rule's
//   pattern
//               matched; by itself, $name is a value that the rule supplies ($old, $new, $days);
//               背包.*.num is the list of all existing values
//   operators   or and not, == != < <= > >= in, ??, + -, * / %, from loosest to tightest;
//               || && ! are the same as the words
//   functions   the table in internal/builtins.cpp; a host may add its own
//
// A pair [value, "description"] counts as its value, except in the table's own data (`campaign`)
// and the variables of its tools, which have none. A text that is a number ("50") counts as one
// where a number is needed. An expression without a result (a missing path, text instead of a
// number, division by zero) is unknown: an expression that depends on it is unknown, a condition is
// false, and `x ?? y` gives y.
//
// Immutable once compiled; safe from any thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/error.h"
#include "expr/coercion.h"
#include "value/pattern.h"
#include "value/value.h"

namespace arbiter::expr {

// A function of the host.
struct Function {
    std::string name;
    std::size_t least = 1;
    std::size_t most = 1;
    std::function<Known(std::span<const Known>)> apply;
};

// Names for the beginning of a path: 力量 → play_character_data.属性段.生理属性.力量.
using Aliases = std::map<std::string, value::Path, std::less<>>;

// The names that a formula may use.
struct Vocabulary {
    Aliases aliases;
    std::vector<Function> functions;
    std::vector<std::string> variables;  // without their $
    // Whether the values of variables may be described ones.
    bool has_described_variables = true;
};

struct Variable {
    std::string_view name;
    value::Value value;
};

// The results of those parts of one formula that depend on the document alone, kept for further
// evaluations of it on the same version of the document: a formula for each of n members that sums
// over all of them costs n steps, not n². For one formula and one owner.
class Memo {
  public:
    // The result at a node, or nullptr.
    [[nodiscard]] const Known* find(const value::Value& document, std::size_t node) const noexcept;
    void keep(const value::Value& document, std::size_t node, Known known);

  private:
    value::Value document_;
    std::map<std::size_t, Known> results_;
};

struct Scope {
    const value::Value& document;
    std::span<const Variable> variables;
    base::Budget* budget = nullptr;  // pays for the steps; once it is spent, everything is unknown
    Memo* memo = nullptr;
};

class Formula {
  public:
    // The position in an error is an offset into `text`.
    static base::Result<Formula> compile(std::string_view text, const Vocabulary& vocabulary);

    [[nodiscard]] Known evaluate(const Scope& scope) const;
    // The result is known and true.
    [[nodiscard]] bool holds(const Scope& scope) const;

    // The paths of the document that it reads. Variables are open steps with their names.
    [[nodiscard]] const std::vector<value::Pattern>& reads() const noexcept { return reads_; }
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

    struct Node;

  private:
    friend std::string in_words(const Formula& formula, const struct FormulaWords& words);

    std::string text_;
    std::shared_ptr<const std::vector<Node>> nodes_;  // the last one is the root
    std::vector<value::Pattern> reads_;
};

}  // namespace arbiter::expr
