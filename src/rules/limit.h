// Limit: the constraints of a place: a range, a step, a cap per turn or per day, allowed values, a
// list that only grows. A command that breaks one is refused, or its number is clamped.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/check.h"
#include "expr/formula.h"
#include "value/object.h"

namespace arbiter::rules {

struct LimitTerms {
    value::Pattern place;
    std::optional<expr::Formula> min;
    std::optional<expr::Formula> max;
    std::optional<expr::Formula> step_up;  // of one command
    std::optional<expr::Formula> step_down;
    std::optional<expr::Formula> per_turn;
    std::optional<expr::Formula> per_day;
    double start = 0;  // the number that a new one counts from
    std::vector<value::Value> one_of;
    std::vector<std::string> types;  // "number", "whole", "text", "flag", "list", "object", "null"
    std::optional<std::vector<std::string>> members;  // the only ones that may be added
    value::Object presets;                            // of members that an object lacks
    std::optional<std::string>
        unique;  // a field that is unique among the members; empty: the whole
    bool append_only = false;
    bool required = false;
    bool refuses = false;  // otherwise clamps if there is a bound
    std::string book;      // the rulebook that keeps the values of the day
};

class Limit final : public engine::Check {
  public:
    explicit Limit(LimitTerms terms) : terms_(std::move(terms)) {}
    [[nodiscard]] const value::Pattern& place() const noexcept override { return terms_.place; }
    [[nodiscard]] engine::CheckResult judge(const Case& about) const override;
    [[nodiscard]] bool counts_changes() const noexcept override {
        return terms_.step_up || terms_.step_down || terms_.per_turn || terms_.per_day;
    }

  private:
    // A bound and the term that it comes from: "per_day 10".
    struct Bound {
        double at;
        std::string term = {};
    };
    struct Range {
        Bound low;
        Bound high;
    };
    [[nodiscard]] bool is_about_numbers() const noexcept {
        return counts_changes() || terms_.min || terms_.max;
    }
    [[nodiscard]] bool is_of_types(const value::Value& now) const;
    // A text that is a number, where only numbers are allowed.
    [[nodiscard]] std::optional<double> meant_number(const value::Value& now) const;
    // The result for an object: new members of other names are left out, or refused if nothing else
    // changes; missing ones are filled in.
    [[nodiscard]] engine::CheckResult shape(const Case& about) const;
    // The first broken term that is not about a number.
    [[nodiscard]] std::optional<std::string> broken_term(const Case& about) const;
    [[nodiscard]] Range range_of(const Case& about) const;

    LimitTerms terms_;
};

// Warns of a mark of visibility that has no effect in its place.
class MarkCheck final : public engine::Check {
  public:
    MarkCheck(value::Path below, std::string mark, std::size_t segment);
    [[nodiscard]] const value::Pattern& place() const noexcept override { return place_; }
    [[nodiscard]] engine::CheckResult judge(const Case& about) const override;

  private:
    value::Pattern place_;
    std::size_t base_;
    std::string mark_;
    std::size_t segment_;
};

// The container of a pair [container, "description"], otherwise the value itself: a list of two
// texts is not a pair.
const value::Value& contained(const value::Value& value);

// The result of a check that cuts a number to what the term of a limit allows.
engine::CheckResult clamp(const engine::Check::Case& about, double asked, double allowed,
                          std::string term);
// The remark on a limited number that was replaced by something else; nothing if it was not.
std::optional<proposal::Remark> type_change(const engine::Check::Case& about);

// The open places of a pattern as variables of a formula.
std::vector<expr::Variable> variables_of(const value::Bindings& bindings);

// The number that was at a path when the day began, also if it was moved there since. `values`
// are those that are kept of this day, `start` is the state before the turn. Nothing: it is new.
std::optional<double> number_of_day(const value::Value* values, const engine::State& start,
                                    const value::Object& meta, const value::Path& path);

// The data of a rulebook: meta.rules.<book>.<what>, or nullptr.
const value::Value* remembered(const value::Object& meta, std::string_view book,
                               std::string_view what) noexcept;

}  // namespace arbiter::rules
