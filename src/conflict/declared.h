// The declared claims of a reply (protocol/claims.h), compared with the truth by containment.
#pragma once

#include <vector>

#include "conflict/finding.h"
#include "protocol/claims.h"
#include "value/value.h"

namespace arbiter::conflict {

// One finding for each claim whose path is missing in the document or has another value. `target`
// is the id of the character or area that the path names. Claims that are true give nothing.
std::vector<Finding> check_declared(const protocol::Claims& claims, const value::Value& document);

}  // namespace arbiter::conflict
