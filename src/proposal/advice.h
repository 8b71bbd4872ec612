// Advice: what to write instead of a command that cannot be read, in the dialect that was tried.
// Pure functions.
#pragma once

#include <string>

#include "base/text.h"
#include "proposal/proposal.h"

namespace arbiter::proposal {

// "Failed to parse JSON instructions": the failure in a few words.
base::TextView parse_failure(Dialect dialect) noexcept;

// "Use correct JSON, for example:", a line break and a command that can be read.
base::Text suggestion(Dialect dialect);

// A problem of a proposal in one sentence. A parse error begins with parse_failure(), a
// path of a JSON instruction that is not an array with the words of that format.
std::string explain(const Proposal& proposal, const Problem& problem, base::Language language);

}  // namespace arbiter::proposal
