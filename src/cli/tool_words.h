// Tool results as people say them: "HP 10 → 8 (falling crates)". Pure functions.
#pragma once

#include <string>

#include "base/messages.h"
#include "value/value.h"

namespace arbiter::cli {

// `action`: {tool, args, result, …} of the turn log. `document`: after the turn, for the names of
// characters, places and things. A result of another form: its members.
std::string tool_words(const value::Value& action, const value::Value& document,
                       base::Language language);

}  // namespace arbiter::cli
