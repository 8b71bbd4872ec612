// Structural conflicts: changes of authoritative state that no action explains. Checked on every
// turn, whatever the settings.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/policy.h"
#include "table/authority.h"
#include "turn/action.h"
#include "value/value.h"

namespace arbiter::turn {

struct Conflict {
    std::string type;   // unexplained_change, hp_out_of_range, unknown_area, actor_not_in_party
    std::string field;  // a dotted path
    value::Value expected;
    value::Value found;
};

// The document after `actions`. Fails with kDiffMismatch if one does not fit.
base::Result<value::Value> apply_actions(const value::Value& document,
                                         std::span<const Action> actions);
// `actor` is whose commands were judged.
std::vector<Conflict> structural_conflicts(const value::Value& before, const value::Value& after,
                                           std::span<const Action> actions, engine::Actor actor,
                                           const std::vector<table::AuthorityRow>& rows);

}  // namespace arbiter::turn
