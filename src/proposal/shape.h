// Shape: the checks of a proposal that need no state.
#pragma once

#include <string_view>

#include "proposal/proposal.h"

namespace arbiter::proposal {

// Adds every problem and warning that follows from the instruction itself: impossible paths, values
// that the operation cannot use, options of the wrong type, contradictory guards, dangerous names.
// Ignores tool calls and unreadable commands.
void check_shape(Proposal& proposal);

// Whether a name is forbidden in paths: __proto__, constructor, prototype.
bool is_dangerous(std::string_view name) noexcept;

// A number, or a text that is one: "12", "+5", " -3.5 ".
std::optional<value::Value> as_number(const value::Value& value);
// The same, also with a unit behind it: "7天", "45%", "3 days".
std::optional<value::Value> as_quantity(const value::Value& value);

// Two integers with a slash between them: "45/100".
struct Fraction {
    std::int64_t above;
    std::int64_t below;
    [[nodiscard]] bool is_whole() const noexcept { return below != 0 && above % below == 0; }
};
std::optional<Fraction> as_fraction(std::string_view text) noexcept;

}  // namespace arbiter::proposal
