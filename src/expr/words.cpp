#include "expr/words.h"

#include "base/text.h"
#include "expr/internal/formula_node.h"
#include "value/json.h"

namespace arbiter::expr {

using Node = Formula::Node;
using Kind = Node::Kind;

namespace {

class Speaker {
  public:
    Speaker(const std::vector<Node>& nodes, const FormulaWords& words)
        : nodes_(nodes), words_(words) {}

    // A node as a condition.
    [[nodiscard]] std::string condition(std::size_t at) const {
        const Node& node = nodes_[at];
        switch (node.kind) {
            case Kind::kOr:
                return condition(node.parts[0]) + say({" or ", "，或者"}) +
                       condition(node.parts[1]);
            case Kind::kAnd:
                return grouped(node.parts[0]) + say({" and ", "，并且"}) + grouped(node.parts[1]);
            case Kind::kNot:
                return say({"not: ", "并非："}) + grouped(node.parts[0]);
            case Kind::kEqual:
                return compared(node, Comparison::kEqual, Comparison::kEqual);
            case Kind::kUnequal:
                return compared(node, Comparison::kUnequal, Comparison::kUnequal);
            case Kind::kLess:
                return compared(node, Comparison::kLess, Comparison::kMore);
            case Kind::kLessEqual:
                return compared(node, Comparison::kAtMost, Comparison::kAtLeast);
            case Kind::kIn:
                return value(node.parts[0]) + say({" is among ", "属于"}) + value(node.parts[1]);
            case Kind::kPlace:
                return of_place(node.place, Comparison::kTrue, {});
            default:
                return value(at) + say({" holds", "成立"});
        }
    }

  private:
    [[nodiscard]] std::string say(base::TextView text) const {
        return std::string(text.in(words_.language));
    }

    // An "or" inside an "and" is set apart.
    [[nodiscard]] std::string grouped(std::size_t at) const {
        return nodes_[at].kind == Kind::kOr ? say({"(", "（"}) + condition(at) + say({")", "）"})
                                            : condition(at);
    }

    [[nodiscard]] std::string of_place(const value::Pattern& place, Comparison comparison,
                                       const value::Value& constant) const {
        if (std::string phrase = words_.phrase(place, comparison, constant); !phrase.empty()) {
            return phrase;
        }
        return words_.place(place) + (comparison == Comparison::kTrue
                                          ? say({" is true", "为真"})
                                          : verb(comparison) + constant_text(constant));
    }

    // `mirrored` is the comparison with its sides exchanged.
    [[nodiscard]] std::string compared(const Node& node, Comparison comparison,
                                       Comparison mirrored) const {
        const Node& left = nodes_[node.parts[0]];
        const Node& right = nodes_[node.parts[1]];
        if (left.kind == Kind::kPlace && right.kind == Kind::kConstant) {
            return of_place(left.place, comparison, right.constant);
        }
        if (right.kind == Kind::kPlace && left.kind == Kind::kConstant) {
            return of_place(right.place, mirrored, left.constant);
        }
        // `a > b` is compiled as b < a: the variable part is said first.
        return left.kind == Kind::kConstant
                   ? value(node.parts[1]) + verb(mirrored) + value(node.parts[0])
                   : value(node.parts[0]) + verb(comparison) + value(node.parts[1]);
    }

    [[nodiscard]] std::string verb(Comparison comparison) const {
        switch (comparison) {
            case Comparison::kEqual:
                return say({" is ", "为 "});
            case Comparison::kUnequal:
                return say({" is not ", "不为 "});
            case Comparison::kLess:
                return say({" is less than ", "小于 "});
            case Comparison::kAtMost:
                return say({" is at most ", "不超过 "});
            case Comparison::kMore:
                return say({" is more than ", "大于 "});
            case Comparison::kAtLeast:
                return say({" is at least ", "不少于 "});
            case Comparison::kTrue:
                break;
        }
        return "";
    }

    static std::string constant_text(const value::Value& constant) {
        return constant.is_string() ? std::string(constant.as_string())
                                    : value::print_json(constant);
    }

    // A node as a value.
    [[nodiscard]] std::string value(std::size_t at) const {
        const Node& node = nodes_[at];
        const auto joined = [&](std::string_view mark) {
            return value(node.parts[0]) + std::string(mark) + value(node.parts[1]);
        };
        switch (node.kind) {
            case Kind::kConstant:
                return constant_text(node.constant);
            case Kind::kPlace:
                return words_.place(node.place);
            case Kind::kAdd:
                return joined(" + ");
            case Kind::kSubtract:
                return joined(" - ");
            case Kind::kMultiply:
                return joined(" × ");
            case Kind::kDivide:
                return joined(" ÷ ");
            case Kind::kModulo:
                return joined(" mod ");
            case Kind::kElse:
                return value(node.parts[0]);
            case Kind::kNegate:
                return "-" + value(node.parts[0]);
            case Kind::kIf:
            case Kind::kBuiltin:
            case Kind::kHost:
                return function(node);
            default:
                return condition(at);
        }
    }

    [[nodiscard]] std::string function(const Node& node) const {
        std::string text(node.builtin != nullptr ? node.builtin->name : std::string_view("if"));
        text += "(";
        for (std::size_t i = 0; i < node.parts.size(); ++i) {
            text += (i == 0 ? "" : ", ") + value(node.parts[i]);
        }
        return text + ")";
    }

    const std::vector<Node>& nodes_;
    const FormulaWords& words_;
};

}  // namespace

std::string in_words(const Formula& formula, const FormulaWords& words) {
    const std::vector<Node>& nodes = *formula.nodes_;
    return Speaker(nodes, words).condition(nodes.size() - 1);
}

}  // namespace arbiter::expr
