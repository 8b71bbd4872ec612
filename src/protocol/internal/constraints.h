// Constraints: the limits of a protocol, compiled to a rulebook of its own, so that they clamp,
// refuse and count days exactly as the limits of a world do.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "engine/check.h"
#include "rules/rulebook.h"
#include "value/fields.h"

namespace arbiter::protocol::internal {

// How much one command may change a number.
struct ChangeTerms {
    struct Span {
        double low = 0;
        double high = 0;
    };
    value::Pattern place;
    std::optional<Span> rise;
    std::optional<Span> fall;
    double start = 0;  // the number that a new one counts from
    bool refuses = false;
};

class Change final : public engine::Check {
  public:
    explicit Change(ChangeTerms terms) : terms_(std::move(terms)) {}
    [[nodiscard]] const value::Pattern& place() const noexcept override { return terms_.place; }
    [[nodiscard]] engine::CheckResult judge(const Case& about) const override;
    [[nodiscard]] bool counts_changes() const noexcept override { return true; }

  private:
    ChangeTerms terms_;
};

struct Constraints {
    std::shared_ptr<const rules::Rulebook> book;  // nullptr: none, or they have diagnostics
    bool own_clock = false;                       // they name the place of the date
};
// Compiles the member `key` of a protocol; its diagnostics go to `fields`. `id` is the protocol's.
Constraints compile_constraints(value::Fields& fields, std::string_view key, std::string_view id,
                                std::shared_ptr<const calendar::Calendars> calendars);

}  // namespace arbiter::protocol::internal
