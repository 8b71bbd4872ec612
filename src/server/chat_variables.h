// The variables of a campaign as MVU keeps them with a message: {stat_data, …}.
#pragma once

#include <string_view>

#include "engine/engine.h"
#include "value/value.h"

namespace arbiter::server {

inline constexpr std::string_view kVariables = "stat_data";

// The state with these variables in place of its own. `takes_structure`: structure rules in them
// ($meta) count.
engine::State with_variables(engine::State state, const value::Value& variables,
                             bool takes_structure);

}  // namespace arbiter::server
