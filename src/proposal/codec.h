// Codec: proposals as values that are kept, and proposals again: every field, so that judging what
// was kept gives what judging the original gave. Names, never numbers, so that old records stay
// readable when tables grow.
#pragma once

#include "base/error.h"
#include "proposal/proposal.h"

namespace arbiter::proposal {

value::Value encode(const Proposal& proposal);

// Fails with kRecordField, and the name of the field, on whatever encode() does not make. What was
// kept may have been tampered with: a decoded proposal is only as trustworthy as its source.
base::Result<Proposal> decode(const value::Value& record);

}  // namespace arbiter::proposal
