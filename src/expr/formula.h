// Formula: what a rulebook computes from the document. Small and total: no loops, no assignments,
// no names but those of the document; the work of one evaluation has a limit.
//
//   values      12  3.5  "text"  'text'  true  false  null
//   places      角色.属性.力量, 背包[0], 背包["a.b"]; $who stands for what a pattern met there, or
//   by
//               itself for a value that the rule gives ($old, $new, $days); 背包.*.num is the list
//               of all that are there
//   operators   or and not, == != < <= > >= in, ??, + -, * / %, from the loosest to the tightest;
//               || && ! are the same as the words
//   functions   see kFunctions in formula.cpp; a host may add its own
//
// A pair [value, "description"] is read as its value. Numbers in texts ("50") count as numbers
// where a number is needed. What cannot be worked out (a place that is not there, text where a
// number belongs, division by zero) is unknown: it makes what depends on it unknown, a condition
// false, and `x ?? y` gives y.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "value/described.h"
#include "value/pattern.h"
#include "value/value.h"

namespace arbiter::expr {

// Nothing: unknown.
using Known = std::optional<value::Value>;

// A function of the host.
struct Function {
    std::string name;
    std::size_t least = 1;
    std::size_t most = 1;
    std::function<Known(std::span<const Known>)> apply;
};

// Words that stand for the beginning of a path: 力量 → play_character_data.属性段.生理属性.力量.
using Aliases = std::map<std::string, value::Path, std::less<>>;

// What a formula may use.
struct Vocabulary {
    Aliases aliases;
    std::vector<Function> functions;
    std::vector<std::string> variables;  // without their $
};

struct Variable {
    std::string_view name;
    value::Value value;
};

struct Scope {
    const value::Value& document;
    std::span<const Variable> variables;
};

class Formula {
  public:
    // A place in an error is an offset into `text`.
    static base::Result<Formula> compile(std::string_view text, const Vocabulary& vocabulary);

    [[nodiscard]] Known evaluate(const Scope& scope) const;
    [[nodiscard]] bool holds(const Scope& scope) const;

    // The places of the document that it reads. Variables are open places with their names.
    [[nodiscard]] const std::vector<value::Pattern>& reads() const noexcept { return reads_; }
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

    struct Node;

  private:
    std::string text_;
    std::shared_ptr<const std::vector<Node>> nodes_;  // the last is the whole
    std::vector<value::Pattern> reads_;
};

using value::undescribed;
// A number, also one in a text.
std::optional<double> number_of(const value::Value& value);
// true, "true", a number but 0; nothing else.
bool is_true(const value::Value& value);
// A number as rules write it: whole where it is whole, else to 12 significant digits.
Known number_value(double number);
// The first number in a text: 5.5 in "5.5(kg)/d", -20 in "-20/d".
std::optional<double> first_number(std::string_view text);

}  // namespace arbiter::expr
