#include "rules/limit.h"

#include <algorithm>
#include <cmath>

#include "rules/rulebook.h"
#include "text/join.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::rules {

using engine::CheckResult;
using expr::Known;
using proposal::Code;
using value::Value;

namespace {

// The value with its number replaced; the description of a pair stays.
Value renumbered(const Value& value, double number) {
    const Known fresh = expr::number_value(number);
    if (!fresh) {
        return value;
    }
    if (&expr::undescribed(value) == &value) {
        return *fresh;
    }
    return value.as_array().set(0, *fresh);
}

std::optional<double> number_at(const Value* value) {
    return value == nullptr ? std::nullopt : expr::number_of(expr::undescribed(*value));
}

// True if a value is an older one with something appended.
bool extends(const Value& now, const Value& old) {
    if (old.is_array()) {
        return now.is_array() && now.as_array().size() >= old.as_array().size() &&
               std::equal(old.as_array().begin(), old.as_array().end(), now.as_array().begin());
    }
    if (old.is_object()) {
        return now.is_object() && std::ranges::all_of(old.as_object(), [&](value::Member member) {
                   const Value* found = now.as_object().find(member.key);
                   return found != nullptr && *found == member.value;
               });
    }
    if (old.is_string()) {
        return now.is_string() && now.as_string().starts_with(old.as_string());
    }
    return old == now || old.is_null();
}

// True if two members of a container are equal in a field, or as a whole.
bool has_twins(const Value& container, const std::string& field) {
    std::vector<std::string> seen;
    const auto add = [&](const Value& member) {
        const Value* part = &member;
        if (!field.empty()) {
            part = member.is_object() ? member.as_object().find(field) : nullptr;
        }
        if (part != nullptr) {
            seen.push_back(value::print_json(expr::undescribed(*part)));
        }
    };
    if (container.is_array()) {
        std::ranges::for_each(container.as_array(), add);
    } else if (container.is_object()) {
        for (const auto& [key, member] : container.as_object()) {
            add(member);
        }
    }
    std::ranges::sort(seen);
    return std::ranges::adjacent_find(seen) != seen.end();
}

std::string dotted(const value::Path& path) {
    return value::print_path(path, value::PathSyntax::kDotted);
}

std::string number_text(double limit) {
    const Known known = expr::number_value(limit);
    return known ? value::print_json(*known) : std::string("…");
}

CheckResult refusal(const engine::Check::Case& about, std::string term) {
    return {CheckResult::Action::kRefuse,
            {},
            proposal::Problem{Code::kConstraint, {dotted(about.path), std::move(term)}},
            {}};
}

}  // namespace

const Value& contained(const Value& value) {
    const Value& inner = expr::undescribed(value);
    return inner.is_container() ? inner : value;
}

std::vector<expr::Variable> variables_of(const value::Bindings& bindings) {
    std::vector<expr::Variable> variables;
    for (const value::Binding& binding : bindings) {
        variables.push_back({binding.name.view(), binding.segment.value()});
    }
    return variables;
}

const Value* remembered(const value::Object& meta, std::string_view book,
                        std::string_view what) noexcept {
    const Value* at = meta.find(kRulesKey);
    for (const std::string_view key : {book, what}) {
        at = at != nullptr && at->is_object() ? at->as_object().find(key) : nullptr;
    }
    return at;
}

CheckResult Limit::judge(const Case& about) const {
    if (about.now == nullptr) {
        return terms_.required || terms_.append_only ? refusal(about, "required") : CheckResult{};
    }
    if (terms_.read_only && about.old != nullptr) {
        return {CheckResult::Action::kRefuse,
                {},
                proposal::Problem{Code::kDerived, {dotted(about.path)}},
                {}};
    }
    if (auto broken = broken_term(about)) {
        return refusal(about, std::move(*broken));
    }
    const auto number = expr::number_of(expr::undescribed(*about.now));
    if (!number) {
        return {};
    }
    const Range range = range_of(about);
    if (*number >= range.low && *number <= range.high) {
        return {};
    }
    if (terms_.refuses) {
        return refusal(about, number_text(range.low) + " – " + number_text(range.high));
    }
    return {CheckResult::Action::kClamp,
            renumbered(*about.now, std::clamp(*number, range.low, range.high)),
            {},
            {}};
}

std::optional<std::string> Limit::broken_term(const Case& about) const {
    const Value& now = expr::undescribed(*about.now);
    // Two texts may be a text with its description, or a list.
    if (terms_.append_only && about.old != nullptr &&
        !extends(now, expr::undescribed(*about.old)) &&
        !extends(contained(*about.now), contained(*about.old))) {
        return "append-only";
    }
    if (terms_.unique && has_twins(contained(*about.now), *terms_.unique)) {
        return terms_.unique->empty() ? "unique" : "unique " + *terms_.unique;
    }
    if (!terms_.one_of.empty() && std::ranges::find(terms_.one_of, now) == terms_.one_of.end()) {
        return text::join(terms_.one_of, " | ",
                          [](const Value& each) { return value::print_json(each); });
    }
    return std::nullopt;
}

Limit::Range Limit::range_of(const Case& about) const {
    std::vector<expr::Variable> variables = variables_of(about.bindings);
    variables.push_back({"new", expr::undescribed(*about.now)});
    if (about.old != nullptr) {
        variables.push_back({"old", expr::undescribed(*about.old)});
    }
    const expr::Scope scope{about.after, variables};
    const auto bound = [&](const std::optional<expr::Formula>& formula) -> std::optional<double> {
        const Known known = formula ? formula->evaluate(scope) : std::nullopt;
        return known ? expr::number_of(*known) : std::nullopt;
    };
    Range range{-HUGE_VAL, HUGE_VAL};
    const auto around = [&](std::optional<double> centre, std::optional<double> up,
                            std::optional<double> down) {
        if (centre && up) {
            range.high = std::min(range.high, *centre + std::fabs(*up));
        }
        if (centre && down) {
            range.low = std::max(range.low, *centre - std::fabs(*down));
        }
    };
    around(number_at(about.old), bound(terms_.step_up), bound(terms_.step_down));
    const Value* start = value::find(about.start, about.path);
    const auto turn = bound(terms_.per_turn);
    around(number_at(start), turn, turn);
    if (const auto day = bound(terms_.per_day)) {
        const Value* values = remembered(about.meta, terms_.book, "day_values");
        const Value* first = values != nullptr && values->is_object()
                                 ? values->as_object().find(dotted(about.path))
                                 : nullptr;
        around(number_at(first != nullptr ? first : start), day, day);
    }
    // min and max take precedence over the limits of a change.
    if (const auto min = bound(terms_.min)) {
        range.low = std::max(range.low, *min);
        range.high = std::max(range.high, *min);
    }
    if (const auto max = bound(terms_.max)) {
        range.high = std::min(range.high, *max);
        range.low = std::min(range.low, *max);
    }
    return range;
}

MarkCheck::MarkCheck(value::Path below, std::string mark, std::size_t segment)
    : place_(value::pattern_of(below)),
      base_(below.size()),
      mark_(std::move(mark)),
      segment_(segment) {
    place_.push_back({value::PatternStep::Kind::kBelow, value::Segment(""), {}});
}

CheckResult MarkCheck::judge(const Case& about) const {
    const bool is_mark = !about.path.back().is_index() && about.path.back().key() == mark_;
    const bool effective = about.path.size() > base_ + segment_;
    if (is_mark && !effective && about.now != nullptr && expr::is_true(*about.now)) {
        return {CheckResult::Action::kAllow, {}, {}, proposal::Warning::kFilterIgnored};
    }
    return {};
}

}  // namespace arbiter::rules
