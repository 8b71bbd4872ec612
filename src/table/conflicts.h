// Conflicts: what the state says that no action explains. Always looked for, whatever the settings:
// where a state can change without an action, nothing that is told of it can be believed.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "table/authority.h"
#include "value/array.h"
#include "value/value.h"

namespace arbiter::table {

struct Conflict {
    std::string type;   // unexplained_change, hp_out_of_range, unknown_area, actor_not_in_party
    std::string field;  // a dotted path
    value::Value expected;
    value::Value found;
};

// A document after actions. Fails with kDiffMismatch where one does not fit.
base::Result<value::Value> replay(const value::Value& document, const value::Array& actions);

std::vector<Conflict> structural_conflicts(const value::Value& before, const value::Value& after,
                                           const value::Array& actions,
                                           const std::vector<AuthorityRow>& rows);

}  // namespace arbiter::table
