// Limit: what the value of a place must keep to: a range, a step, a cap for a turn or a day,
// certain values, a list that only grows. Refused or cut to the bound, as the rulebook says.
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
    std::optional<expr::Formula> step_up;  // at once
    std::optional<expr::Formula> step_down;
    std::optional<expr::Formula> per_turn;
    std::optional<expr::Formula> per_day;
    std::vector<value::Value> one_of;
    std::optional<std::string> unique;  // a field in which no two members agree; empty: as a whole
    bool append_only = false;
    bool required = false;
    bool read_only = false;
    bool refuses = false;  // else clamps where there is a bound to cut to
    std::string book;      // whose memory of the day's values counts
};

class Limit final : public engine::Check {
  public:
    explicit Limit(LimitTerms terms) : terms_(std::move(terms)) {}
    [[nodiscard]] const value::Pattern& place() const noexcept override { return terms_.place; }
    [[nodiscard]] engine::CheckResult judge(const Case& about) const override;

  private:
    LimitTerms terms_;
};

// A mark of visibility where it has no effect is remarked on.
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

// The container of a pair [container, "description"], else the value itself: two texts in a list
// are two texts.
const value::Value& contained(const value::Value& value);

// The values of open places as variables of a formula.
std::vector<expr::Variable> variables_of(const value::Bindings& bindings);

// What a rulebook remembers: meta.rules.<book>.<what>, or nullptr.
const value::Value* remembered(const value::Object& meta, std::string_view book,
                               std::string_view what) noexcept;

}  // namespace arbiter::rules
