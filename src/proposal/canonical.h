// Canonical: instructions that a program writes in the form in which answers show them
// (proposal/describe.h), instead of in a dialect. Pure.
#pragma once

#include "proposal/proposal.h"

namespace arbiter::proposal {

// {"op": "set", "path": ["hp"], "value": 9}: the operation by its canonical name and the path in
// the document; beside them `from`, `key`, `value`, `old`, `all`, `arithmetic`, `options`,
// `reason`. Any value gives a proposal: one that cannot be carried out is refused by its problems.
Proposal proposal_of(const value::Value& written);

}  // namespace arbiter::proposal
