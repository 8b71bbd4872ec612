// Formulas worked out.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/limits.h"
#include "expr/formula.h"
#include "expr/internal/decimal.h"
#include "expr/internal/formula_node.h"
#include "expr/internal/functions.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/number.h"
#include "value/object.h"

namespace arbiter::expr {

using value::Array;
using value::Object;
using value::PatternStep;
using value::Segment;
using value::Value;
using Node = Formula::Node;
using Kind = Node::Kind;

std::optional<double> number_of(const Value& value) {
    if (value.is_number()) {
        return value.as_double();
    }
    if (!value.is_string() || value.as_string().size() > value::kNumberTextMax) {
        return std::nullopt;
    }
    const auto first = first_number(value.as_string());
    // The whole text must be the number.
    std::string_view text = value.as_string();
    const bool plain = !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+';
    });
    const bool one = std::ranges::count(text, '.') <= 1 && text.find_last_of("+-") + 1 <= 1;
    return plain && one ? first : std::nullopt;
}

bool is_true(const Value& value) {
    if (value.is_bool()) {
        return value.as_bool();
    }
    if (value.is_string()) {
        return value.as_string() == "true";
    }
    return value.is_number() && value.as_double() != 0;
}

Known number_value(double number) {
    if (!std::isfinite(number)) {
        return std::nullopt;
    }
    if (const auto whole = value::whole(number)) {
        return Value(*whole);
    }
    const double rounded = internal::round_significant(number);
    return std::isfinite(rounded) ? Known(Value(rounded)) : std::nullopt;
}

std::optional<double> first_number(std::string_view text) {
    const auto is_digit = [&](std::size_t at) {
        return at < text.size() && text[at] >= '0' && text[at] <= '9';
    };
    std::size_t at = 0;
    while (at < text.size() && !is_digit(at)) {
        ++at;
    }
    std::size_t end = at;
    while (is_digit(end)) {
        ++end;
    }
    if (end == at) {
        return std::nullopt;
    }
    if (end < text.size() && text[end] == '.' && is_digit(end + 1)) {
        ++end;
        while (is_digit(end)) {
            ++end;
        }
    }
    const bool half = at > 0 && text[at - 1] == '.';  // .5
    const std::string_view before = text.substr(0, half ? at - 1 : at);
    const bool negative = before.ends_with('-') || before.ends_with("－") || before.ends_with("−");
    std::string_view digits = text.substr(at, std::min<std::size_t>(end - at, 300));
    while (digits.size() > 1 && digits[0] == '0' && digits[1] != '.') {
        digits.remove_prefix(1);
    }
    const std::string whole =
        half ? "0." + std::string(text.substr(at, end - at)) : std::string(digits);
    const value::ReadNumber read = value::read_number(whole);
    if (read.form == value::ReadNumber::Form::kTooLarge) {
        return std::nullopt;
    }
    const double number =
        read.form == value::ReadNumber::Form::kInt ? static_cast<double>(read.integer) : read.real;
    return negative ? -number : number;
}

namespace {

using Values = std::span<const Known>;

std::optional<double> number_at(Values values, std::size_t index) {
    return index < values.size() && values[index] ? number_of(*values[index]) : std::nullopt;
}

// All numbers of the arguments; a list counts as its elements. Nothing if one is no number.
std::optional<std::vector<double>> numbers(Values values) {
    std::vector<double> out;
    for (const Known& value : values) {
        if (!value) {
            return std::nullopt;
        }
        if (value->is_array()) {
            for (const Value& element : value->as_array()) {
                const auto number = number_of(undescribed(element));
                if (!number) {
                    return std::nullopt;
                }
                out.push_back(*number);
            }
            continue;
        }
        const auto number = number_of(*value);
        if (!number) {
            return std::nullopt;
        }
        out.push_back(*number);
    }
    return out;
}

Known least(Values values) {
    const auto all = numbers(values);
    return all && !all->empty() ? number_value(std::ranges::min(*all)) : std::nullopt;
}
Known greatest(Values values) {
    const auto all = numbers(values);
    return all && !all->empty() ? number_value(std::ranges::max(*all)) : std::nullopt;
}
Known sum(Values values) {
    const auto all = numbers(values);
    if (!all) {
        return std::nullopt;
    }
    double total = 0;
    for (const double number : *all) {
        total += number;
    }
    return number_value(total);
}
Known of_number(Values values, double (*apply)(double)) {
    const auto number = number_at(values, 0);
    return number ? number_value(apply(*number)) : std::nullopt;
}
// 0.1 * 30 is a little more than 3: noise of the last digits must not lift a floor.
double steady(double number) {
    return internal::round_significant(number);
}
Known floor_of(Values values) {
    return of_number(values, [](double number) { return std::floor(steady(number)); });
}
Known ceil_of(Values values) {
    return of_number(values, [](double number) { return std::ceil(steady(number)); });
}
Known abs_of(Values values) {
    return of_number(values, [](double number) { return std::fabs(number); });
}
Known round_of(Values values) {
    const auto number = number_at(values, 0);
    const auto digits = values.size() > 1 ? number_at(values, 1) : std::optional(0.0);
    if (!number || !digits || *digits < 0 || *digits > 12) {
        return std::nullopt;
    }
    return number_value(
        internal::cut_decimals(*number, static_cast<int>(*digits), internal::Cut::kHalfAway));
}
Known clamp_of(Values values) {
    const auto number = number_at(values, 0);
    const auto low = number_at(values, 1);
    const auto high = number_at(values, 2);
    return number && low && high ? number_value(std::max(*low, std::min(*number, *high)))
                                 : std::nullopt;
}
// Members of a container; what is not there has none.
Known count(Values values) {
    if (!values[0]) {
        return Value(0);
    }
    const Value& value = *values[0];
    const std::size_t size = value.is_array()    ? value.as_array().size()
                             : value.is_object() ? value.as_object().size()
                             : value.is_string() ? text::count(value.as_string())
                                                 : 0;
    return Value(static_cast<std::int64_t>(size));
}
Known has(Values values) {
    return Value(values[0].has_value());
}
// A number as it is, or the first one in a text.
Known number(Values values) {
    if (!values[0]) {
        return std::nullopt;
    }
    if (values[0]->is_number()) {
        return values[0];
    }
    const auto found = values[0]->is_string() ? first_number(values[0]->as_string()) : std::nullopt;
    return found ? number_value(*found) : std::nullopt;
}
// pick(value, case, result, case, result, …, otherwise)
Known pick(Values values) {
    if (!values[0]) {
        return values.size() % 2 == 0 ? values.back() : std::nullopt;
    }
    for (std::size_t i = 1; i + 1 < values.size(); i += 2) {
        if (values[i] && *values[i] == *values[0]) {
            return values[i + 1];
        }
    }
    return values.size() % 2 == 0 ? values.back() : std::nullopt;
}
Known join(Values values) {
    std::string out;
    for (const Known& value : values) {
        if (!value || (!value->is_string() && !value->is_number())) {
            return std::nullopt;
        }
        if (value->is_string()) {
            out += value->as_string();
        } else {
            std::array<char, value::kNumberTextMax> text;
            const std::size_t size = value->is_int()
                                         ? value::print_int(value->as_int(), text.data())
                                         : value::print_double(value->as_double(), text.data());
            out.append(text.data(), size);
        }
    }
    return Value(std::string_view(out));
}

constexpr std::size_t kMany = 64;
constexpr auto kBuiltins = std::to_array<Builtin>({{"min", 1, kMany, least},
                                                   {"max", 1, kMany, greatest},
                                                   {"sum", 1, kMany, sum},
                                                   {"floor", 1, 1, floor_of},
                                                   {"ceil", 1, 1, ceil_of},
                                                   {"round", 1, 2, round_of},
                                                   {"abs", 1, 1, abs_of},
                                                   {"clamp", 3, 3, clamp_of},
                                                   {"count", 1, 1, count},
                                                   {"has", 1, 1, has},
                                                   {"number", 1, 1, number},
                                                   {"pick", 3, kMany, pick},
                                                   {"join", 1, kMany, join}});

// One evaluation.
class Run {
  public:
    Run(const std::vector<Node>& nodes, const Scope& scope) : nodes_(nodes), scope_(scope) {}

    Known value(std::size_t index) {
        if (!spend(1)) {
            return std::nullopt;
        }
        const Node& node = nodes_[index];
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
                }
                return node.kind == Kind::kHost ? node.host(values) : node.builtin->apply(values);
            }
        }
        return std::nullopt;
    }

  private:
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
                // The value of a pair is also reached by naming it.
                found = step_into(*at, next.segment);
                if (!found && &undescribed(*at) != at) {
                    found = step_into(undescribed(*at), next.segment);
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
        return undescribed(*at);
    }

    // The list of what stands behind every member.
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

    static Known equal(const Known& left, const Known& right, bool wanted) {
        if (!left || !right) {
            return std::nullopt;
        }
        const auto a = number_of(*left);
        const auto b = number_of(*right);
        const bool same = a && b ? internal::nearly_equal(*a, *b) : *left == *right;
        return Value(same == wanted);
    }
    static Known compare(const Known& left, const Known& right, bool or_equal) {
        const auto a = left ? number_of(*left) : std::nullopt;
        const auto b = right ? number_of(*right) : std::nullopt;
        if (!a || !b) {
            return std::nullopt;
        }
        const bool same = internal::nearly_equal(*a, *b);
        return Value(same ? or_equal : *a < *b);
    }
    static Known contains(const Known& part, const Known& whole) {
        if (!part || !whole) {
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
                return number_value(internal::modulo(*a, *b));
        }
    }

    const std::vector<Node>& nodes_;
    const Scope& scope_;
    std::size_t left_ = base::kFormulaStepsMax;
};

}  // namespace

std::span<const Builtin> builtins() noexcept {
    return kBuiltins;
}

Known Formula::evaluate(const Scope& scope) const {
    return Run(*nodes_, scope).value(nodes_->size() - 1);
}
bool Formula::holds(const Scope& scope) const {
    const Known known = evaluate(scope);
    return known && is_true(*known);
}

}  // namespace arbiter::expr
