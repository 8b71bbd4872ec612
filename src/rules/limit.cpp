#include "rules/limit.h"

#include <algorithm>
#include <cmath>

#include "engine/numbers.h"
#include "rules/rulebook.h"
#include "text/join.h"
#include "value/array.h"
#include "value/json.h"
#include "value/preview.h"

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

bool is_of_type(const Value& value, std::string_view type) {
    if (type == "number" || type == "whole") {
        return value.is_number() &&
               (type == "number" || std::trunc(value.as_double()) == value.as_double());
    }
    return (type == "text" && value.is_string()) || (type == "flag" && value.is_bool()) ||
           (type == "list" && value.is_array()) || (type == "object" && value.is_object()) ||
           (type == "null" && value.is_null());
}

CheckResult refusal(const engine::Check::Case& about, std::string term) {
    return {CheckResult::Action::kRefuse,
            {},
            proposal::Problem{Code::kConstraint, {dotted(about.path), std::move(term)}},
            {}};
}

CheckResult type_refusal(const engine::Check::Case& about, const std::vector<std::string>& types) {
    const auto kind_of = [](const std::string& type) -> std::string_view {
        if (type == "text") {
            return "string";
        }
        if (type == "flag") {
            return "boolean";
        }
        if (type == "whole") {
            return "whole number";
        }
        return type == "list" ? std::string_view("array") : std::string_view(type);
    };
    const Value& now = expr::undescribed(*about.now);
    return {CheckResult::Action::kRefuse,
            {},
            proposal::Problem{Code::kTypeMismatch,
                              {dotted(about.path), std::string(value::name(now.kind())),
                               text::join(types, " / ", kind_of)}},
            {}};
}

// The number that a text holds takes its place.
CheckResult read_number(const engine::Check::Case& about, double number) {
    return {
        CheckResult::Action::kReplace,
        renumbered(*about.now, number),
        {},
        {{proposal::Warning::kNumberCoerced, {value::preview(*about.now), number_text(number)}}}};
}

}  // namespace

CheckResult clamp(const engine::Check::Case& about, double asked, double allowed,
                  std::string term) {
    return {CheckResult::Action::kReplace,
            renumbered(*about.now, allowed),
            {},
            {{proposal::Warning::kClamped,
              {dotted(about.path), number_text(asked), std::move(term), number_text(allowed)}}}};
}

std::optional<proposal::Remark> type_change(const engine::Check::Case& about) {
    const auto old = engine::limited_number(about.old);
    if (!old || about.now == nullptr || engine::limited_number(about.now)) {
        return std::nullopt;
    }
    return proposal::Remark{proposal::Warning::kTypeChanged,
                            {dotted(about.path), number_text(*old), value::preview(*about.now)}};
}

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

std::optional<double> number_of_day(const Value* values, const engine::State& start,
                                    const value::Object& meta, const value::Path& path) {
    std::optional<value::Path> at = path;
    for (int moves = 0; values != nullptr && at && moves < engine::kMovesMax; ++moves) {
        if (const auto first = engine::limited_number(value::find_member(values, dotted(*at)))) {
            return first;
        }
        at = engine::moved_from(meta, *at);
    }
    return engine::number_at_start(start, meta, path);
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
    const auto meant = meant_number(*about.now);
    if (!meant && !is_of_types(*about.now)) {
        return type_refusal(about, terms_.types);
    }
    if (auto broken = meant ? std::nullopt : broken_term(about)) {
        return refusal(about, std::move(*broken));
    }
    if (terms_.members || !terms_.presets.empty()) {
        return shape(about);
    }
    const auto number = meant ? meant : engine::limited_number(about.now);
    if (!number) {
        CheckResult allowed;
        if (auto remark = is_about_numbers() ? type_change(about) : std::nullopt) {
            allowed.remarks.push_back(*std::move(remark));
        }
        return allowed;
    }
    const Range range = range_of(about);
    if (*number >= range.low.at && *number <= range.high.at) {
        return meant ? read_number(about, *meant) : CheckResult();
    }
    const Bound& bound = *number < range.low.at ? range.low : range.high;
    if (terms_.refuses) {
        return refusal(about, number_text(range.low.at) + " – " + number_text(range.high.at) +
                                  " (" + bound.term + ")");
    }
    return clamp(about, *number, bound.at, bound.term);
}

bool Limit::is_of_types(const Value& now) const {
    return terms_.types.empty() || std::ranges::any_of(terms_.types, [&](const std::string& type) {
               return is_of_type(now, type) || is_of_type(expr::undescribed(now), type);
           });
}

std::optional<double> Limit::meant_number(const Value& now) const {
    const Value& text = expr::undescribed(now);
    const auto is_type = [&](std::string_view type) {
        return std::ranges::find(terms_.types, type) != terms_.types.end();
    };
    if (!text.is_string() || is_type("text") || !(is_type("number") || is_type("whole"))) {
        return std::nullopt;
    }
    const auto number = expr::number_of(text);
    const bool fits = number && (is_type("number") || std::trunc(*number) == *number);
    return fits ? number : std::nullopt;
}

CheckResult Limit::shape(const Case& about) const {
    if (!about.now->is_object()) {
        return {};
    }
    value::Object shaped = about.now->as_object();
    std::vector<std::string> others;
    for (const auto& [key, value] : about.now->as_object()) {
        const bool known = !terms_.members ||
                           std::ranges::find(*terms_.members, key.view()) != terms_.members->end();
        if (!known && value::find_member(about.old, key) == nullptr) {
            others.emplace_back(key.view());
            shaped = std::move(shaped).erase(key);
        }
    }
    for (const auto& [key, value] : terms_.presets) {
        shaped = shaped.contains(key) ? shaped : std::move(shaped).set(key, value);
    }
    CheckResult result{CheckResult::Action::kReplace, shaped};
    if (!others.empty()) {
        const std::string known = text::join(*terms_.members, " | ");
        if (about.old != nullptr && *about.old == Value(shaped)) {
            value::Path member = about.path;
            member.emplace_back(std::string_view(others[0]));
            result.action = CheckResult::Action::kRefuse;
            result.problem = proposal::Problem{Code::kConstraint, {dotted(member), known}};
            return result;
        }
        result.remarks.push_back({proposal::Warning::kClamped,
                                  {dotted(about.path), text::join(others), "members", known}});
    }
    return *about.now == Value(shaped) ? CheckResult() : result;
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
    const expr::Scope scope{about.after, variables, &about.budget};
    const auto bound = [&](const std::optional<expr::Formula>& formula) -> std::optional<double> {
        const Known known = formula ? formula->evaluate(scope) : std::nullopt;
        return known ? expr::number_of(*known) : std::nullopt;
    };
    Range range{{-HUGE_VAL}, {HUGE_VAL}};
    const auto raise = [&](std::optional<double> centre, std::string_view term,
                           std::optional<double> most) {
        const double high = most ? centre.value_or(terms_.start) + std::fabs(*most) : HUGE_VAL;
        if (high < range.high.at) {
            range.high = {high, std::string(term) + " " + number_text(std::fabs(*most))};
        }
    };
    const auto lower = [&](std::optional<double> centre, std::string_view term,
                           std::optional<double> most) {
        const double low = most ? centre.value_or(terms_.start) - std::fabs(*most) : -HUGE_VAL;
        if (low > range.low.at) {
            range.low = {low, std::string(term) + " " + number_text(std::fabs(*most))};
        }
    };
    if (terms_.step_up || terms_.step_down) {
        const auto before = engine::number_before(about);
        raise(before, "step", bound(terms_.step_up));
        lower(before, "step", bound(terms_.step_down));
    }
    if (const auto turn = bound(terms_.per_turn)) {
        const auto start = engine::number_at_start(about.start, about.meta, about.path);
        raise(start, "per_turn", turn);
        lower(start, "per_turn", turn);
    }
    if (const auto day = bound(terms_.per_day)) {
        const auto first = number_of_day(remembered(about.meta, terms_.book, "day_values"),
                                         about.start, about.meta, about.path);
        raise(first, "per_day", day);
        lower(first, "per_day", day);
    }
    // min and max take precedence over the limits of a change.
    if (const auto min = bound(terms_.min)) {
        const Bound here{*min, "min " + number_text(*min)};
        range.low = range.low.at < *min ? here : range.low;
        range.high = range.high.at < *min ? here : range.high;
    }
    if (const auto max = bound(terms_.max)) {
        const Bound here{*max, "max " + number_text(*max)};
        range.high = range.high.at > *max ? here : range.high;
        range.low = range.low.at > *max ? here : range.low;
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
        return {CheckResult::Action::kAllow, {}, {}, {{proposal::Warning::kFilterIgnored, {}}}};
    }
    return {};
}

}  // namespace arbiter::rules
