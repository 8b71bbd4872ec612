// Constraints: what a protocol lets commands do, as a rulebook of its own, so that limits of
// protocols cut and refuse, and remember the day, exactly as those of a world.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "engine/check.h"
#include "protocol/internal/fields.h"
#include "rules/rulebook.h"

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
    bool refuses = false;
};

class Change final : public engine::Check {
  public:
    explicit Change(ChangeTerms terms) : terms_(std::move(terms)) {}
    [[nodiscard]] const value::Pattern& place() const noexcept override { return terms_.place; }
    [[nodiscard]] engine::Finding judge(const Case& about) const override;

  private:
    ChangeTerms terms_;
};

struct Constraints {
    std::shared_ptr<const rules::Rulebook>
        book;  // nullptr: there are none, or they have diagnostics
    bool own_clock = false;
};
// `where` is the path of `written`, for diagnostics.
Constraints compile_constraints(const value::Value& written, const value::Path& where,
                                std::string_view id, Notes& notes,
                                std::shared_ptr<const rules::Calendars> calendars);

}  // namespace arbiter::protocol::internal
