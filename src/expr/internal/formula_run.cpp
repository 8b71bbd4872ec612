#include "expr/internal/formula_run.h"

#include <algorithm>

#include "base/limits.h"
#include "expr/internal/formula_node.h"
#include "expr/internal/functions.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::expr::internal {

using value::Array;
using value::PatternStep;
using value::Segment;
using value::Value;
using Node = Formula::Node;
using Kind = Node::Kind;

namespace {

// One evaluation.
class Run {
  public:
    Run(const std::vector<Node>& nodes, const Scope& scope) : nodes_(nodes), scope_(scope) {}

    // The value of the root.
    Known run() {
        if (scope_.budget != nullptr && scope_.budget->is_spent()) {
            return std::nullopt;
        }
        Known known = value(nodes_.size() - 1);
        const std::uint64_t steps = base::kFormulaStepsMax - left_;
        if (scope_.budget != nullptr && !scope_.budget->spend(steps * base::kFormulaStepCost)) {
            return std::nullopt;
        }
        return known;
    }

  private:
    Known value(std::size_t index) {
        if (!spend(1)) {
            return std::nullopt;
        }
        const Node& node = nodes_[index];
        if (!node.is_kept || scope_.memo == nullptr) {
            return worked_out(node);
        }
        if (const Known* known = scope_.memo->find(scope_.document, index)) {
            return *known;
        }
        Known known = worked_out(node);
        if (left_ > 0) {
            scope_.memo->keep(scope_.document, index, known);
        }
        return known;
    }

    Known worked_out(const Node& node) {
        const auto part = [&](std::size_t i) { return value(node.parts[i]); };
        const auto truth = [&](std::size_t i) {
            const Known known = part(i);
            return known && is_true(*known);
        };
        switch (node.kind) {
            case Kind::kConstant:
                return node.constant;
            case Kind::kPlace:
                return place(node);
            case Kind::kOr:
                return Value(truth(0) || truth(1));
            case Kind::kAnd:
                return Value(truth(0) && truth(1));
            case Kind::kNot:
                return Value(!truth(0));
            case Kind::kEqual:
            case Kind::kUnequal:
                return equal(part(0), part(1), node.kind == Kind::kEqual);
            case Kind::kLess:
            case Kind::kLessEqual:
                return compare(part(0), part(1), node.kind == Kind::kLessEqual);
            case Kind::kIn:
                return contains(part(0), part(1));
            case Kind::kElse: {
                Known first = part(0);
                return first && !first->is_null() ? first : part(1);
            }
            case Kind::kAdd:
            case Kind::kSubtract:
            case Kind::kMultiply:
            case Kind::kDivide:
            case Kind::kModulo:
                return calculate(node.kind, part(0), part(1));
            case Kind::kNegate:
                return calculate(Kind::kSubtract, Value(0), part(0));
            case Kind::kIf:
                return truth(0) ? part(1) : part(2);
            case Kind::kBuiltin:
            case Kind::kHost: {
                std::vector<Known> values;
                values.reserve(node.parts.size());
                for (const std::size_t each : node.parts) {
                    values.push_back(value(each));
                    const Known& last = values.back();
                    const bool is_read = last && (!last->is_array() || node.kind == Kind::kHost ||
                                                  node.builtin->reads_lists);
                    if (is_read && !spend(looks_of(*last))) {
                        return std::nullopt;
                    }
                }
                return node.kind == Kind::kHost ? node.host(values) : node.builtin->apply(values);
            }
        }
        return std::nullopt;
    }

    // The steps that a function or a comparison takes for one of its values.
    static std::size_t looks_of(const Value& value) {
        if (value.is_string()) {
            return value.as_string().size() / base::kBytesOfStep;
        }
        return value.is_array() ? value.as_array().size() : 0;
    }

    bool spend(std::size_t steps) {
        left_ -= std::min(left_, steps);
        return left_ > 0;
    }

    [[nodiscard]] const Value* variable(std::string_view name) const {
        const auto found = std::ranges::find(scope_.variables, name, &Variable::name);
        return found == scope_.variables.end() ? nullptr : &found->value;
    }

    Known place(const Node& node) {
        const Value* at = &scope_.document;
        std::size_t step = 0;
        if (node.of_variable) {
            at = variable(node.place[0].name);
            step = 1;
        }
        return at == nullptr ? std::nullopt : follow(node, *at, step);
    }

    Known follow(const Node& node, const Value& from, std::size_t step) {
        const Value* at = &from;
        for (; step < node.place.size(); ++step) {
            if (!spend(1)) {
                return std::nullopt;
            }
            const PatternStep& next = node.place[step];
            std::optional<value::Step> found;
            if (next.kind == PatternStep::Kind::kPlain) {
                // A path may name the pair or its value.
                found = step_into(*at, next.segment);
                const Value& inner = inside(node, *at);
                if (!found && &inner != at) {
                    found = step_into(inner, next.segment);
                }
            } else if (next.name.view().empty()) {
                return all(node, *at, step + 1);
            } else if (const Value* key = variable(next.name)) {
                found = key->is_string() ? step_into(*at, Segment(key->as_str()))
                        : key->is_int()  ? step_into(*at, Segment(key->as_int()))
                                         : std::nullopt;
            }
            if (!found) {
                return std::nullopt;
            }
            at = found->value;
        }
        return inside(node, *at);
    }

    // The value of a pair at a place.
    static const Value& inside(const Node& node, const Value& at) {
        return node.has_pairs ? undescribed(at) : at;
    }

    // The list of the values behind every member.
    Known all(const Node& node, const Value& container, std::size_t step) {
        Array list;
        const auto add = [&](const Value& member) {
            if (!spend(1)) {
                return;
            }
            if (Known found = follow(node, member, step)) {
                list = std::move(list).push_back(std::move(*found));
            }
        };
        if (container.is_object()) {
            for (const auto& [key, member] : container.as_object()) {
                add(member);
            }
        } else if (container.is_array()) {
            for (const Value& member : container.as_array()) {
                add(member);
            }
        } else {
            return std::nullopt;
        }
        return left_ > 0 ? Known(std::move(list)) : std::nullopt;
    }

    Known equal(const Known& left, const Known& right, bool wanted) {
        if (!left || !right || !spend(std::min(looks_of(*left), looks_of(*right)))) {
            return std::nullopt;
        }
        const auto a = number_of(*left);
        const auto b = number_of(*right);
        const bool same = a && b ? nearly_equal(*a, *b) : *left == *right;
        return Value(same == wanted);
    }
    static Known compare(const Known& left, const Known& right, bool or_equal) {
        const auto a = left ? number_of(*left) : std::nullopt;
        const auto b = right ? number_of(*right) : std::nullopt;
        if (!a || !b) {
            return std::nullopt;
        }
        const bool same = nearly_equal(*a, *b);
        return Value(same ? or_equal : *a < *b);
    }
    Known contains(const Known& part, const Known& whole) {
        if (!part || !whole || !spend(looks_of(*whole))) {
            return std::nullopt;
        }
        if (whole->is_array()) {
            return Value(std::ranges::any_of(
                whole->as_array(), [&](const Value& each) { return undescribed(each) == *part; }));
        }
        if (!part->is_string()) {
            return std::nullopt;
        }
        if (whole->is_object()) {
            return Value(whole->as_object().contains(part->as_string()));
        }
        return whole->is_string() ? Known(Value(whole->as_string().find(part->as_string()) !=
                                                std::string_view::npos))
                                  : std::nullopt;
    }
    static Known calculate(Kind kind, const Known& left, const Known& right) {
        const auto a = left ? number_of(*left) : std::nullopt;
        const auto b = right ? number_of(*right) : std::nullopt;
        if (!a || !b || ((kind == Kind::kDivide || kind == Kind::kModulo) && *b == 0)) {
            return std::nullopt;
        }
        switch (kind) {
            case Kind::kAdd:
                return number_value(*a + *b);
            case Kind::kSubtract:
                return number_value(*a - *b);
            case Kind::kMultiply:
                return number_value(*a * *b);
            case Kind::kDivide:
                return number_value(*a / *b);
            default:
                return number_value(modulo(*a, *b));
        }
    }

    const std::vector<Node>& nodes_;
    const Scope& scope_;
    std::size_t left_ = base::kFormulaStepsMax;
};

}  // namespace

Known run_formula(const std::vector<Node>& nodes, const Scope& scope) {
    return Run(nodes, scope).run();
}

}  // namespace arbiter::expr::internal
