// Shape: what can be said against a proposal without looking at any state.
#pragma once

#include <string_view>

#include "proposal/proposal.h"

namespace arbiter::proposal {

// Adds every problem and warning that the instruction itself shows: a path that no document can
// have, a value that the operation cannot use, options of the wrong type, guards that contradict
// each other, dangerous names. Does nothing for tool calls and for what is unreadable.
void check_shape(Proposal& proposal);

// A name that no path may have: __proto__, constructor, prototype.
bool is_dangerous(std::string_view name) noexcept;

// A number, or a text that is one: "12", "+5", " -3.5 ".
std::optional<value::Value> as_number(const value::Value& value);

}  // namespace arbiter::proposal
