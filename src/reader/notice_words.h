// Notices of a reply in words, for people. The codes are for programs.
#pragma once

#include <string>

#include "base/explain.h"
#include "proposal/proposal.h"

namespace arbiter::reader {

// A sentence, such as "</think> has no opening tag."; empty for inspections, whose answer says all.
std::string explain(const proposal::Notice& notice, base::Language language);

}  // namespace arbiter::reader
