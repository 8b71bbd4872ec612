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
    std::vector<value::Value> one_of;
    std::optional<std::string>
        unique;  // a field that is unique among the members; empty: the whole
    bool append_only = false;
    bool required = false;
    bool read_only = false;
    bool refuses = false;  // otherwise clamps if there is a bound
    std::string book;      // the rulebook that keeps the values of the day
};

class Limit final : public engine::Check {
  public:
    explicit Limit(LimitTerms terms) : terms_(std::move(terms)) {}
    [[nodiscard]] const value::Pattern& place() const noexcept override { return terms_.place; }
    [[nodiscard]] engine::CheckResult judge(const Case& about) const override;

  private:
    struct Range {
        double low;
        double high;
    };
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

// The open places of a pattern as variables of a formula.
std::vector<expr::Variable> variables_of(const value::Bindings& bindings);

// The data of a rulebook: meta.rules.<book>.<what>, or nullptr.
const value::Value* remembered(const value::Object& meta, std::string_view book,
                               std::string_view what) noexcept;

}  // namespace arbiter::rules
