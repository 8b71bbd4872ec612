#include "engine/internal/where.h"

#include <algorithm>
#include <functional>

#include "base/limits.h"
#include "engine/internal/versions.h"
#include "proposal/shape.h"

namespace arbiter::engine::internal {

using value::Object;
using value::Value;

const Value* field_of(const Object& element, std::string_view name) {
    if (const Value* found = element.find(name)) {
        return found;
    }
    const auto path = value::parse_path(name, value::PathSyntax::kDotted);
    return path && path->size() > 1 ? value::find(Value(element), *path) : nullptr;
}

namespace {

constexpr std::string_view kOperators[] = {
    "包含",     "contains", "不包含", "notContains", "开头",  "startsWith", "结尾",
    "endsWith", "等于",     "equals", "正则",        "regex", "大于",       ">",
    "小于",     "<",        ">=",     "<=",          "存在",  "exists",     "*"};

bool is_operator(std::string_view word) {
    return std::ranges::find(kOperators, word) != std::end(kOperators);
}

}  // namespace

bool contains(const Value& whole, const Value& part) {
    if (whole.is_string() && part.is_string()) {
        return whole.as_string().find(part.as_string()) != std::string_view::npos;
    }
    if (whole.is_array()) {
        return std::ranges::any_of(
            whole.as_array(), [&](const Value& element) { return equal_content(element, part); });
    }
    return whole.is_object() && part.is_string() && whole.as_object().contains(part.as_string());
}

// A pattern that does not compile was refused by the shape check; here it matches nothing.
bool Where::finds(const Value& value, const Value& pattern) {
    if (!value.is_string() || !pattern.is_string()) {
        return false;
    }
    auto found = patterns_.find(pattern.as_string());
    if (found == patterns_.end()) {
        auto compiled = text::Regex::compile(pattern.as_string());
        found = patterns_
                    .emplace(std::string(pattern.as_string()),
                             compiled ? std::optional(std::move(*compiled)) : std::nullopt)
                    .first;
    }
    if (!found->second) {
        return false;
    }
    const std::uint64_t cost = found->second->cost(value.as_string().size());
    exhausted_ = exhausted_ || cost > base::kRegexWorkMax - work_;
    if (exhausted_) {
        return false;
    }
    work_ += cost;
    return budget_.spend(cost) && found->second->is_in(value.as_string());
}

// Nothing if the word is not an operator.
std::optional<bool> Where::operate(std::string_view word, const Value& value,
                                   const Value& operand) {
    const auto text = [&](auto test) {
        return value.is_string() && operand.is_string() &&
               test(value.as_string(), operand.as_string());
    };
    const auto number = [&](auto test) {
        const auto left = proposal::as_number(value);
        const auto right = proposal::as_number(operand);
        return left && right && test(left->as_double(), right->as_double());
    };
    if (word == "包含" || word == "contains") {
        return contains(value, operand);
    }
    if (word == "不包含" || word == "notContains") {
        return !contains(value, operand);
    }
    if (word == "开头" || word == "startsWith") {
        return text([](std::string_view a, std::string_view b) { return a.starts_with(b); });
    }
    if (word == "结尾" || word == "endsWith") {
        return text([](std::string_view a, std::string_view b) { return a.ends_with(b); });
    }
    if (word == "等于" || word == "equals") {
        return equal_content(value, operand);
    }
    if (word == "正则" || word == "regex") {
        return finds(value, operand);
    }
    if (word == "大于" || word == ">") {
        return number(std::greater<>());
    }
    if (word == "小于" || word == "<") {
        return number(std::less<>());
    }
    if (word == ">=") {
        return number(std::greater_equal<>());
    }
    if (word == "<=") {
        return number(std::less_equal<>());
    }
    if (word == "存在" || word == "exists") {
        return operand.is_bool() && operand.as_bool();
    }
    return std::nullopt;
}

bool Where::field_matches(const Value* field, const Value& condition) {
    if (condition.is_object() && !condition.as_object().empty()) {
        bool all = true;
        bool operators = true;
        for (const auto& [word, operand] : condition.as_object()) {
            if (word == "存在" || word == "exists") {
                all = all && operand.is_bool() && operand.as_bool() == (field != nullptr);
                continue;
            }
            const auto holds = operate(word, field == nullptr ? Value() : *field, operand);
            operators = operators && holds.has_value();
            all = all && holds.value_or(false) && field != nullptr;
        }
        if (operators) {
            return all;
        }
    }
    return field != nullptr && equal_content(*field, condition);
}

std::vector<std::string> Where::unknown_words(const value::Array& list) const {
    std::vector<std::string> unknown;
    const bool plain = std::ranges::none_of(list, &Value::is_object);
    for (const auto& [key, condition] : conditions_) {
        if (plain && !is_operator(key)) {
            unknown.push_back("where." + std::string(key.view()));
        }
        if (!condition.is_object()) {
            continue;
        }
        // An object may also be a value to compare with.
        const bool compared = std::ranges::any_of(list, [&](const Value& element) {
            const Value* field = element.is_object() ? field_of(element.as_object(), key) : nullptr;
            return field != nullptr && field->is_object();
        });
        for (const auto& [word, operand] : condition.as_object()) {
            if (!compared && !is_operator(word)) {
                unknown.push_back("where." + std::string(key.view()) + "." +
                                  std::string(word.view()));
            }
        }
    }
    return unknown;
}

// A bare operator on an object holds if it holds for some string member; a negated one for all.
bool Where::any_text(const Object& element, std::string_view word, const Value& operand) {
    if (word == "不包含" || word == "notContains") {
        return !any_text(element, "contains", operand);
    }
    return std::ranges::any_of(element, [&](const value::Member& member) {
        return member.value.is_string() && operate(word, member.value, operand).value_or(false);
    });
}

bool Where::holds_for(const Value& element) {
    if (conditions_.empty()) {
        return false;
    }
    for (const auto& [key, condition] : conditions_) {
        if (key == "*" && condition.is_bool()) {
            if (!condition.as_bool()) {
                return false;
            }
            continue;
        }
        const Value* field = element.is_object() ? field_of(element.as_object(), key) : nullptr;
        bool holds = false;
        if (field != nullptr) {
            holds = field_matches(field, condition);
        } else if (element.is_object()) {
            const bool is_operator = operate(key, Value(), condition).has_value();
            holds = is_operator ? any_text(element.as_object(), key, condition)
                                : field_matches(nullptr, condition);
        } else {
            holds = operate(key, element, condition).value_or(false);
        }
        if (!holds) {
            return false;
        }
    }
    return true;
}

}  // namespace arbiter::engine::internal
